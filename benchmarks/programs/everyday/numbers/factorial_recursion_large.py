def fact(n):
    return 1 if n == 0 else n * fact(n - 1)


def main():
    return fact(15)
