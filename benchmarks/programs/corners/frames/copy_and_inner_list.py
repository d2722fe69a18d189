def main():
    a = [1, [2, 3]]
    b = a.copy()
    b[1].append(4)
    b[0] = 9
    return a, b, a[1] is b[1]
