"""This file is the operators of `set`: each wants a set or a frozenset on the right."""


def set_or(items, other):
    """Give a new set of the keys of both: `items | other`."""
    table = is_set(other)
    if not table:
        return items | other
    result = set_union(items, other)
    return result


def set_and(items, other):
    """Give a new set of the keys that are in both: `items & other`."""
    table = is_set(other)
    if not table:
        return items & other
    result = set_intersection(items, other)
    return result


def set_sub(items, other):
    """Give a new set of the keys that are in the first only: `items - other`."""
    table = is_set(other)
    if not table:
        return items - other
    result = set_difference(items, other)
    return result


def set_xor(items, other):
    """Give a new set of the keys that are in one of the two only: `items ^ other`."""
    table = is_set(other)
    if not table:
        return items ^ other
    result = set_symmetric_difference(items, other)
    return result


def set_ior(items, other):
    """Put in all keys of another set: `items |= other`."""
    table = is_set(other)
    if not table:
        items |= other
        return items
    set_update(items, other)
    return items


def set_iand(items, other):
    """Keep only the keys that are in both: `items &= other`."""
    table = is_set(other)
    if not table:
        items &= other
        return items
    set_intersection_update(items, other)
    return items


def set_isub(items, other):
    """Take out all keys of another set: `items -= other`."""
    table = is_set(other)
    if not table:
        items -= other
        return items
    set_difference_update(items, other)
    return items


def set_ixor(items, other):
    """Toggle all keys of another set: `items ^= other`."""
    table = is_set(other)
    if not table:
        items ^= other
        return items
    set_symmetric_difference_update(items, other)
    return items


def set_eq(items, other):
    """Tell whether two sets have the same keys: `items == other`."""
    table = is_set(other)
    if not table:
        return items == other
    size = len(items)
    other_size = len(other)
    if size != other_size:
        return False
    result = set_issubset(items, other)
    return result


def set_le(items, other):
    """Tell whether all keys are in the other set: `items <= other`."""
    table = is_set(other)
    if not table:
        return items <= other
    result = set_issubset(items, other)
    return result


def set_lt(items, other):
    """Tell whether all keys are in the other set, which has more: `items < other`."""
    table = is_set(other)
    if not table:
        return items < other
    size = len(items)
    other_size = len(other)
    if size >= other_size:
        return False
    result = set_issubset(items, other)
    return result


def set_ge(items, other):
    """Tell whether all keys of the other set are here: `items >= other`."""
    table = is_set(other)
    if not table:
        return items >= other
    result = set_issubset(other, items)
    return result


def set_gt(items, other):
    """Tell whether all keys of the other set are here, and more: `items > other`."""
    table = is_set(other)
    if not table:
        return items > other
    size = len(items)
    other_size = len(other)
    if size <= other_size:
        return False
    result = set_issubset(other, items)
    return result


def set_repr(items):
    """Write a set as Python source: `repr(items)`."""
    outer = []
    text = repr_within(items, outer)
    return text
