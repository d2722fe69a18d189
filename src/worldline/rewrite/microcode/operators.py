"""This file is the operators that compare, and `in`, for operands of any type."""


def equal(left, right):
    """Tell whether containers take two values for the same: one object, or equal."""
    if left is right:
        return True
    kind = type(left)
    if kind is int:
        return left == right
    result = op_eq(left, right)
    return result


def op_eq(left, right):
    """Tell whether two values are equal: `left == right`."""
    kind = type(left)
    if kind is int:
        return left == right
    other = type(right)
    if kind is not other:
        return left == right
    if kind is str:
        result = str_eq(left, right)
        return result
    if kind is list:
        result = list_eq(left, right)
        return result
    if kind is tuple:
        result = tuple_eq(left, right)
        return result
    if kind is dict:
        result = dict_eq(left, right)
        return result
    if kind is set:
        result = set_eq(left, right)
        return result
    return left == right


def op_ne(left, right):
    """Tell whether two values differ: `left != right`."""
    kind = type(left)
    if kind is int:
        return left != right
    other = type(right)
    if kind is not other:
        return left != right
    known = {str, list, tuple, dict}
    if kind in known:
        same = op_eq(left, right)
        return not same
    if kind is set:
        same = set_eq(left, right)
        return not same
    return left != right


def op_lt(left, right):
    """Tell whether the first of two values is smaller: `left < right`."""
    kind = type(left)
    if kind is int:
        return left < right
    other = type(right)
    if kind is not other:
        return left < right
    if kind is str:
        result = str_lt(left, right)
        return result
    if kind is list:
        result = list_lt(left, right)
        return result
    if kind is tuple:
        result = tuple_lt(left, right)
        return result
    if kind is set:
        result = set_lt(left, right)
        return result
    return left < right


def op_le(left, right):
    """Tell whether the first of two values is smaller or equal: `left <= right`."""
    kind = type(left)
    if kind is int:
        return left <= right
    other = type(right)
    if kind is not other:
        return left <= right
    if kind is str:
        greater = str_lt(right, left)
        return not greater
    if kind is list:
        result = list_le(left, right)
        return result
    if kind is tuple:
        result = tuple_le(left, right)
        return result
    if kind is set:
        result = set_le(left, right)
        return result
    return left <= right


def op_gt(left, right):
    """Tell whether the first of two values is greater: `left > right`."""
    kind = type(left)
    if kind is int:
        return left > right
    other = type(right)
    if kind is not other:
        return left > right
    if kind is str:
        result = str_lt(right, left)
        return result
    if kind is list:
        result = list_gt(left, right)
        return result
    if kind is tuple:
        result = tuple_gt(left, right)
        return result
    if kind is set:
        result = set_gt(left, right)
        return result
    return left > right


def op_ge(left, right):
    """Tell whether the first of two values is greater or equal: `left >= right`."""
    kind = type(left)
    if kind is int:
        return left >= right
    other = type(right)
    if kind is not other:
        return left >= right
    if kind is str:
        smaller = str_lt(left, right)
        return not smaller
    if kind is list:
        result = list_ge(left, right)
        return result
    if kind is tuple:
        result = tuple_ge(left, right)
        return result
    if kind is set:
        result = set_ge(left, right)
        return result
    return left >= right


def op_in(item, container):
    """Tell whether a container has an item: `item in container`."""
    kind = type(container)
    if kind is str:
        result = str_contains(container, item)
        return result
    if kind is list:
        result = list_contains(container, item)
        return result
    if kind is tuple:
        result = tuple_contains(container, item)
        return result
    return item in container


def op_not_in(item, container):
    """Tell whether a container lacks an item: `item not in container`."""
    found = op_in(item, container)
    return not found
