"""A large list is held, and nothing happens to it, while integers change and functions are called."""


def step(total, n):
    total = (total * 31 + n) % 1_000_003
    return total


def main(size=1_000_000, rounds=200):
    held = list(range(size))
    total = 0
    for n in range(rounds):
        even = n % 2
        if even == 0:
            total += n
        else:
            total -= 1
        total = step(total, n)
    return total, len(held)
