"""This file is the whole part of a square root, found among whole numbers."""


def whole_root(number):
    """Halve in on the whole part of a square root: `int(number ** 0.5)`."""
    fits = has_exact_root(number)
    if not fits:
        root = number**0.5
        return int(root)
    low = 0
    high = number + 1
    gap = high
    while gap > 1:
        middle = low + high
        middle = middle // 2
        square = middle * middle
        if square > number:
            high = middle
        else:
            low = middle
        gap = high - low
    return low


def has_exact_root(number):
    """Tell whether the whole part of a root is surely what a float says, which is rounded."""
    kind = type(number)
    if kind is not int:
        return False
    if number < 0:
        return False
    return number < 1000000000000
