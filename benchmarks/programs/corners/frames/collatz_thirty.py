def main():
    x = 100
    out = []
    while x != 1 and len(out) < 30:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        out.append(x)
    return out
