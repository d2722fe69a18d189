def main():
    first, *mid, last = [1, 2, 3, 4]
    (a, b), c = (1, 2), 3
    return first, mid, last, a + b + c
