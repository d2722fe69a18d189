"""This file is the operators that make new values, for operands of any type."""


def op_add(left, right):
    """Add two numbers, or put one sequence behind another: `left + right`."""
    kind = type(left)
    if kind is int:
        return left + right
    if kind is str:
        result = str_add(left, right)
        return result
    if kind is list:
        result = list_add(left, right)
        return result
    if kind is tuple:
        result = tuple_add(left, right)
        return result
    return left + right


def op_iadd(left, right):
    """Add to a number, or put a sequence behind another, a list in place: `left += right`."""
    kind = type(left)
    if kind is int:
        left += right
        return left
    if kind is list:
        result = list_iadd(left, right)
        return result
    kinds = {str, tuple}
    if kind in kinds:
        result = op_add(left, right)
        return result
    left += right
    return left


def op_mul(left, right):
    """Multiply two numbers, or repeat a sequence: `left * right`."""
    kind = type(left)
    other = type(right)
    if other is int:
        result = multiply_by_int(left, kind, right)
        return result
    if kind is int:
        sequences = {str, list, tuple}
        if other in sequences:
            result = multiply_by_int(right, other, left)
            return result
    return left * right


def multiply_by_int(value, kind, n):
    """Multiply a number by an int, or repeat a sequence n times."""
    if kind is int:
        return value * n
    if kind is str:
        result = str_mul(value, n)
        return result
    if kind is list:
        result = list_mul(value, n)
        return result
    if kind is tuple:
        result = tuple_mul(value, n)
        return result
    return value * n


def op_imul(left, right):
    """Multiply a number, or repeat a sequence, a list in place: `left *= right`."""
    kind = type(left)
    if kind is list:
        result = list_imul(left, right)
        return result
    other = type(right)
    if other is int:
        kinds = {int, str, tuple}
        if kind in kinds:
            result = multiply_by_int(left, kind, right)
            return result
    left *= right
    return left


def op_pow(left, right):
    """Multiply a number with itself: `left ** right`."""
    fits = is_small_power(left, right, None)
    if not fits:
        return left**right
    result = int_pow(left, right)
    return result


def op_mod(left, right):
    """Give the rest of a division, or put values into a text: `left % right`."""
    kind = type(left)
    if kind is str:
        result = str_mod(left, right)
        return result
    return left % right


def op_sub(left, right):
    """Subtract numbers, or take the keys of one set out of another: `left - right`."""
    kind = type(left)
    if kind is not set:
        return left - right
    result = set_sub(left, right)
    return result


def op_or(left, right):
    """Join the bits of two ints, two sets or two dicts: `left | right`."""
    kind = type(left)
    if kind is dict:
        result = dict_or(left, right)
        return result
    if kind is not set:
        return left | right
    result = set_or(left, right)
    return result


def op_and(left, right):
    """Give what two ints or two sets have in common: `left & right`."""
    kind = type(left)
    if kind is not set:
        return left & right
    result = set_and(left, right)
    return result


def op_xor(left, right):
    """Give what only one of two ints or two sets has: `left ^ right`."""
    kind = type(left)
    if kind is not set:
        return left ^ right
    result = set_xor(left, right)
    return result


def op_isub(left, right):
    """Subtract numbers, or take the keys of one set out of another, sets in place: `left -= right`."""
    kind = type(left)
    if kind is not set:
        left -= right
        return left
    result = set_isub(left, right)
    return result


def op_ior(left, right):
    """Join the bits of two ints, two sets or two dicts, sets and dicts in place: `left |= right`."""
    kind = type(left)
    if kind is dict:
        result = dict_ior(left, right)
        return result
    if kind is not set:
        left |= right
        return left
    result = set_ior(left, right)
    return result


def op_iand(left, right):
    """Give what two ints or two sets have in common, sets in place: `left &= right`."""
    kind = type(left)
    if kind is not set:
        left &= right
        return left
    result = set_iand(left, right)
    return result


def op_ixor(left, right):
    """Give what only one of two ints or two sets has, sets in place: `left ^= right`."""
    kind = type(left)
    if kind is not set:
        left ^= right
        return left
    result = set_ixor(left, right)
    return result
