"""Recursion: deep, mutual, through generators, with a list handed down."""


def down(n, path):
    path.append(n)
    if n:
        down(n - 1, path)
    path.pop()
    return len(path)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def fib(n):
    if n < 2:
        return n
    a = fib(n - 1)
    b = fib(n - 2)
    return a + b


def walk(tree):
    if isinstance(tree, list):
        for branch in tree:
            yield from walk(branch)
    else:
        yield tree


def permute(items, at=0):
    if at == len(items):
        return [items[:]]
    found = []
    for index in range(at, len(items)):
        items[at], items[index] = items[index], items[at]
        found += permute(items, at + 1)
        items[at], items[index] = items[index], items[at]
    return found


def main():
    return down(40, []), even(7), fib(7), list(walk([1, [2, [3, []], 4]])), permute([1, 2, 3])
