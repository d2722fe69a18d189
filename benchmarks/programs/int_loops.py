"""Collatz lengths: integer arithmetic and branches, no calls in the loop, no containers."""


def main(limit=600):
    longest, start = 0, 1
    for n in range(1, limit):
        x = n
        length = 1
        while x != 1:
            if x % 2 == 0:
                x //= 2
            else:
                x = 3 * x + 1
            length += 1
        if length > longest:
            longest = length
            start = n
    return start, longest
