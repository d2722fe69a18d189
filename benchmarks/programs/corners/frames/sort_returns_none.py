def main():
    a = [3, 1, 2]
    b = sorted(a)
    c = a.sort()
    return a, b, c, a == b, a is b
