def main():
    a, b, c = 3, 5, 9
    return [a < b < c, a < b > c, 1 < a <= 3 < b, a == 3 != b]
