def main():
    a = b = []
    a.append(1)
    c = d = 5
    c += 1
    return a, b, c, d
