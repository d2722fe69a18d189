"""This file is the operators at the level `strings`: microcode for texts, the real operator for the rest."""


def text_add(left, right):
    """`left + right`."""
    kind = type(left)
    if kind is not str:
        return left + right
    result = str_add(left, right)
    return result


def text_iadd(left, right):
    """`left += right`."""
    kind = type(left)
    if kind is not str:
        left += right
        return left
    result = str_add(left, right)
    return result


def text_mul(left, right):
    """`left * right`."""
    kind = type(left)
    if kind is str:
        result = str_mul(left, right)
        return result
    other = type(right)
    if other is not str:
        return left * right
    if kind is not int:
        return left * right
    result = str_mul(right, left)
    return result


def text_imul(left, right):
    """`left *= right`."""
    kind = type(left)
    if kind is str:
        result = text_mul(left, right)
        return result
    other = type(right)
    if kind is int:
        if other is str:
            result = text_mul(left, right)
            return result
    left *= right
    return left


def text_mod(left, right):
    """`left % right`."""
    kind = type(left)
    if kind is not str:
        return left % right
    result = str_mod(left, right)
    return result


def text_imod(left, right):
    """`left %= right`."""
    kind = type(left)
    if kind is not str:
        left %= right
        return left
    result = str_mod(left, right)
    return result


def are_texts(left, right):
    """Tell whether both are texts."""
    kind = type(left)
    if kind is not str:
        return False
    kind = type(right)
    return kind is str


def text_eq(left, right):
    """`left == right`."""
    known = are_texts(left, right)
    if not known:
        return left == right
    result = str_eq(left, right)
    return result


def text_ne(left, right):
    """`left != right`."""
    known = are_texts(left, right)
    if not known:
        return left != right
    same = str_eq(left, right)
    return not same


def text_lt(left, right):
    """`left < right`."""
    known = are_texts(left, right)
    if not known:
        return left < right
    result = str_lt(left, right)
    return result


def text_le(left, right):
    """`left <= right`."""
    known = are_texts(left, right)
    if not known:
        return left <= right
    result = str_lt(right, left)
    return not result


def text_gt(left, right):
    """`left > right`."""
    known = are_texts(left, right)
    if not known:
        return left > right
    result = str_lt(right, left)
    return result


def text_ge(left, right):
    """`left >= right`."""
    known = are_texts(left, right)
    if not known:
        return left >= right
    result = str_lt(left, right)
    return not result


def text_in(item, container):
    """`item in container`."""
    kind = type(container)
    if kind is not str:
        return item in container
    result = str_contains(container, item)
    return result


def text_not_in(item, container):
    """`item not in container`."""
    kind = type(container)
    if kind is not str:
        return item not in container
    result = str_contains(container, item)
    return not result


def text_slice(items, start, stop, step):
    """`items[start:stop:step]`."""
    kind = type(items)
    if kind is not str:
        return items[start:stop:step]
    result = str_slice(items, start, stop, step)
    return result


def text_format(value):
    """What stands in an f-string for a value without format."""
    kind = type(value)
    if kind is str:
        return value
    known = is_written(value)
    if not known:
        return f"{value}"
    text = builtin_str(value)
    return text


def as_index(value):
    """The int that `range` takes a value for."""
    kind = type(value)
    if kind is not int:
        whole = range(value)
        return whole.stop
    return value
