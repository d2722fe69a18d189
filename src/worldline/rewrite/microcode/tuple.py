"""This file is the methods and operators of `tuple`, one item at a time."""


def tuple_count(items, value, /):
    """Count the items that equal a value."""
    total = 0
    for item in items:
        same = equal(item, value)
        if same:
            total += 1
    return total


def tuple_index(items, value, start=0, stop=9223372036854775807, /):
    """Find the first item that equals a value, from `start` to before `stop`."""
    kind = type(start)
    if kind is not int:
        return items.index(value, start, stop)
    kind = type(stop)
    if kind is not int:
        return items.index(value, start, stop)
    i = find_item(items, value, start, stop)
    if i < 0:
        raise ValueError("tuple.index(x): x not in tuple")
    return i


def tuple_add(items, other):
    """Give a new tuple of the items of both: `items + other`."""
    kind = type(other)
    if kind is not tuple:
        return items + other
    size = len(items)
    if size == 0:
        return other
    size = len(other)
    if size == 0:
        return items
    result = list_copy(items)
    list_extend(result, other)
    return tuple(result)


def tuple_mul(items, n):
    """Give a tuple in which the items come n times: `items * n`."""
    fits = is_size(n)
    if not fits:
        return items * n
    size = len(items)
    total = size * n
    if total > 1000000:  # too long to watch, or for any memory
        return items * n
    if n == 1:
        return items
    result = list_mul(items, n)
    return tuple(result)


def tuple_contains(items, value):
    """Tell whether an item is or equals a value: `value in items`."""
    for item in items:
        same = equal(item, value)
        if same:
            return True
    return False


def tuple_eq(items, other):
    """Tell whether two tuples have equal items at all places: `items == other`."""
    kind = type(other)
    if kind is not tuple:
        return items == other
    result = items_equal(items, other)
    return result


def tuple_lt(items, other):
    """Compare the first items that differ, else the lengths: `items < other`."""
    kind = type(other)
    if kind is not tuple:
        return items < other
    result = compare_items(items, other, op_lt)
    return result


def tuple_le(items, other):
    """Compare the first items that differ, else the lengths: `items <= other`."""
    kind = type(other)
    if kind is not tuple:
        return items <= other
    result = compare_items(items, other, op_le)
    return result


def tuple_gt(items, other):
    """Compare the first items that differ, else the lengths: `items > other`."""
    kind = type(other)
    if kind is not tuple:
        return items > other
    result = compare_items(items, other, op_gt)
    return result


def tuple_ge(items, other):
    """Compare the first items that differ, else the lengths: `items >= other`."""
    kind = type(other)
    if kind is not tuple:
        return items >= other
    result = compare_items(items, other, op_ge)
    return result


def tuple_slice(items, start, stop, step):
    """Give a tuple of every `step`-th item from `start` to before `stop`: `items[start:stop:step]`."""
    plain = slice_is_plain(start, stop, step)
    if not plain:
        return items[start:stop:step]
    places = slice_places(start, stop, step, items)
    result = []
    for i in places:
        item = items[i]
        result.append(item)
    return tuple(result)


def tuple_repr(items):
    """Write a tuple as Python source: `repr(items)`."""
    outer = []
    text = repr_within(items, outer)
    return text
