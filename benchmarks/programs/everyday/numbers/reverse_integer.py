def rev(x):
    sign = -1 if x < 0 else 1
    x = abs(x)
    r = 0
    while x:
        r = r * 10 + x % 10
        x //= 10
    return sign * r


def main():
    return rev(-123450)
