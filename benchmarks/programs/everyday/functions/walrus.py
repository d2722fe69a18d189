def main():
    xs = [3, 8, 1]
    out = []
    while (n := len(xs)) > 0:
        out.append(n * xs.pop())
    return out
