"""Output: print in calls, loops, comprehensions and generators; stderr; partial lines; odd text."""

import sys


def noisy(number):
    print("in", number)
    return number


def lines():
    print("before")
    yield 1
    print("after", end="")


def main():
    print("start")
    total = noisy(1) + noisy(2)
    print("no newline", end="")
    print(*[noisy(n) for n in range(2)], sep="|")
    for line in lines():
        print(line, file=sys.stderr)
    sys.stdout.write("é\ud800\0\n")
    print()
    print([1], {"a": "b"})
    return total
