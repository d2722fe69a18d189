MEMO = {}


def fib(n):
    if n in MEMO:
        return MEMO[n]
    MEMO[n] = n if n < 2 else fib(n - 1) + fib(n - 2)
    return MEMO[n]


def main():
    return fib(6)
