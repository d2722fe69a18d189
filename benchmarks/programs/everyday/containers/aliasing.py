def main():
    a = [1, 2]
    b = a
    c = a[:]
    b.append(3)
    c.append(4)
    return a, b, c, a is b, a == b
