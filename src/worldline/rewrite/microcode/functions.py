"""This file is the built-in functions that walk over items and give one result."""


def builtin_abs(number, /):
    """Give a number without its sign."""
    kind = type(number)
    if kind is not int:
        return abs(number)
    if number < 0:
        return -number
    return number


def builtin_all(iterable, /):
    """Tell whether all items are true; the first that is not ends the walk."""
    for item in iterable:
        if not item:
            return False
    return True


def builtin_any(iterable, /):
    """Tell whether some item is true; the first that is ends the walk."""
    for item in iterable:
        if item:
            return True
    return False


def builtin_bool(value=False, /):
    """Tell whether a value is true."""
    if value:
        return True
    return False


def builtin_divmod(number, by, /):
    """Give the whole quotient and the rest."""
    kind = type(number)
    if kind is not int:
        return divmod(number, by)
    kind = type(by)
    if kind is not int:
        return divmod(number, by)
    if by == 0:  # the message differs from version to version
        return divmod(number, by)
    quotient = number // by
    rest = number % by
    return (quotient, rest)


def builtin_pow(base, exp, mod=None):
    """Multiply a number with itself, `exp` times."""
    fits = is_small_power(base, exp, mod)
    if not fits:
        return pow(base, exp, mod)
    result = int_pow(base, exp, mod)
    return result


def builtin_round(number, ndigits=None):
    """Give an int itself: it has nothing behind the point; other numbers are rounded by Python."""
    kind = type(number)
    if kind is not int:
        return round(number, ndigits)
    if ndigits is None:
        return number
    kind = type(ndigits)
    if kind is not int:
        return round(number, ndigits)
    if ndigits < 0:
        return round(number, ndigits)
    return number


def builtin_max(*values, key=None, default=...):
    """Give the greatest of some values or of the items of one iterable; of equal ones the first."""
    count = len(values)
    if count == 0:
        return max(*values, key=key)
    if count == 1:
        items = values[0]
    else:
        items = values
        if default is not ...:
            return max(*values, key=key, default=default)
    if key is None:
        found = find_extreme(items, op_gt)
    else:
        found = find_extreme_by_key(items, key, op_gt)
    size = len(found)
    if size > 0:
        return found[0]
    if default is ...:  # the message differs from version to version
        return max(found)
    return default


def builtin_min(*values, key=None, default=...):
    """Give the smallest of some values or of the items of one iterable; of equal ones the first."""
    count = len(values)
    if count == 0:
        return min(*values, key=key)
    if count == 1:
        items = values[0]
    else:
        items = values
        if default is not ...:
            return min(*values, key=key, default=default)
    if key is None:
        found = find_extreme(items, op_lt)
    else:
        found = find_extreme_by_key(items, key, op_lt)
    size = len(found)
    if size > 0:
        return found[0]
    if default is ...:  # the message differs from version to version
        return min(found)
    return default


def find_extreme(items, beats):
    """List the one item that no other beats, or nothing if there are no items."""
    found = []
    for item in items:
        size = len(found)
        if size == 0:
            best = item
            found.append(best)
        else:
            better = beats(item, best)
            if better:
                best = item
                found[0] = best
    return found


def find_extreme_by_key(items, key, beats):
    """List the one item whose key no other beats, or nothing if there are no items."""
    found = []
    for item in items:
        value = key(item)
        size = len(found)
        if size == 0:
            best = value
            found.append(item)
        else:
            better = beats(value, best)
            if better:
                best = value
                found[0] = item
    return found


def builtin_sum(iterable, /, start=0):
    """Add all items to a start."""
    kind = type(start)
    kinds = {int, list, tuple}
    if kind not in kinds:
        return sum(iterable, start)
    walk = iter(iterable)
    total = start
    if kind is int:
        for item in walk:
            total = total + item
            kind = type(total)
            if kind is not int:
                break
            if total > 9223372036854775807:  # from here on Python adds floats in another way
                return sum(walk, total)
            if total < -9223372036854775808:
                return sum(walk, total)
        if kind is int:
            return total
        if kind is float:  # how floats are added differs from version to version
            return sum(walk, total)
    for item in walk:
        total = op_add(total, item)
    return total


def builtin_list(iterable=(), /):
    """Give a new list of all items."""
    result = []
    for item in iterable:
        result.append(item)
    return result


def builtin_tuple(iterable=(), /):
    """Give a tuple of all items."""
    kind = type(iterable)
    if kind is tuple:
        return iterable
    items = builtin_list(iterable)
    return tuple(items)


def builtin_dict(source=(), /):
    """Give a new dict of the keys and values of another, or of an iterable of pairs."""
    result = {}
    kind = type(source)
    if kind is dict:
        update_from_dict(result, source)
        return result
    mapping = has_keys(source)
    if mapping:
        return dict(source)
    update_from_pairs(result, source)
    return result


def builtin_set(iterable=(), /):
    """Give a new set of all items; that of a whole table is left to Python, for the sake of the order."""
    kind = type(iterable)
    if kind is dict:
        return set(iterable)
    table = is_set(iterable)
    if table is not False:
        return set(iterable)
    result = set()
    for key in iterable:
        result.add(key)
    return result


def builtin_frozenset(iterable=(), /):
    """Give a frozenset of all items; that of a whole table is left to Python, for the sake of the order."""
    kind = type(iterable)
    if kind is dict:
        return frozenset(iterable)
    table = is_set(iterable)
    if table is not False:
        return frozenset(iterable)
    keys = []
    seen = set()
    for key in iterable:
        seen.add(key)
        keys.append(key)
    return frozenset(keys)


def builtin_sorted(iterable, /, *, key=None, reverse=False):
    """Give a new list of all items, sorted; equal items keep their order."""
    result = builtin_list(iterable)
    list_sort(result, key=key, reverse=reverse)
    return result


def range_list(start, stop, step):
    """List the numbers from `start` to before `stop`: `list(range(start, stop, step))`."""
    fits = range_is_plain(start, stop, step)
    if not fits:
        numbers = range_of_others(start, stop, step)
        result = builtin_list(numbers)
        return result
    if step == 0:
        raise ValueError("range() arg 3 must not be zero")
    result = []
    if step > 0:
        while start < stop:
            result.append(start)
            start += step
    else:
        while start > stop:
            result.append(start)
            start += step
    return result


def range_is_plain(start, stop, step):
    """Tell whether all three are ints."""
    kind = type(start)
    if kind is not int:
        return False
    kind = type(stop)
    if kind is not int:
        return False
    kind = type(step)
    return kind is int


def range_of_others(start, stop, step):
    """Let Python make the range of what are not all ints, or say why there is none."""
    plain = range_is_plain(start, stop, step)
    if not plain:
        return range(start, stop, step)
