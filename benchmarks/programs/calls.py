"""Calls: fib, hanoi and quicksort, many small frames."""


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def hanoi(n, source, target, spare):
    if n == 0:
        return 0
    moves = hanoi(n - 1, source, spare, target)
    moves += 1
    return moves + hanoi(n - 1, spare, target, source)


def quicksort(items):
    if len(items) <= 1:
        return items
    pivot = items[0]
    small, large = [], []
    for item in items[1:]:
        if item < pivot:
            small.append(item)
        else:
            large.append(item)
    return [*quicksort(small), pivot, *quicksort(large)]


def main(size=18):
    numbers = [(n * 7919) % 1009 for n in range(12 * size)]
    return fib(size), hanoi(size - 6, "a", "b", "c"), quicksort(numbers)[:3]
