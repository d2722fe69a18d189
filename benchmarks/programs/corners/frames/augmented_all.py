def main():
    x = 3
    x -= -2
    x *= x
    x //= 4
    x %= 5
    x **= 3
    x <<= 2
    x |= 1
    x ^= 3
    return x
