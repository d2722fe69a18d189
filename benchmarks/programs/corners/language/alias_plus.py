def main():
    a = [1]
    b = a
    a += [2]
    c = a
    a = a + [3]
    return a, b, c
