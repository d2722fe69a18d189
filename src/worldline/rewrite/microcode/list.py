"""This file is the methods of `list`, one item at a time."""


def list_append(items, value, /):
    """Put a value behind the last item."""
    items.append(value)


def list_clear(items, /):
    """Take all items off, the last one first."""
    size = len(items)
    while size > 0:
        items.pop()
        size -= 1


def list_copy(items, /):
    """Give a new list of the same items."""
    result = []
    for item in items:
        result.append(item)
    return result


def list_count(items, value, /):
    """Count the items that equal a value."""
    total = 0
    for item in items:
        same = equal(item, value)
        if same:
            total += 1
    return total


def list_extend(items, iterable, /):
    """Put all items of an iterable behind the last item."""
    if iterable is items:
        iterable = list_copy(items)
    for item in iterable:
        items.append(item)


def list_index(items, value, start=0, stop=9223372036854775807, /):
    """Find the first item that equals a value, from `start` to before `stop`."""
    kind = type(start)
    if kind is not int:
        return items.index(value, start, stop)
    kind = type(stop)
    if kind is not int:
        return items.index(value, start, stop)
    i = find_item(items, value, start, stop)
    if i < 0:
        shown = builtin_repr(value)
        message = str_add(shown, " is not in list")
        raise ValueError(message)
    return i


def find_item(items, value, start, stop):
    """Give the index of the first item between two bounds that equals a value, or -1."""
    size = len(items)
    if start < 0:
        start += size
    if stop < 0:
        stop += size
    i = 0
    for item in items:
        if i >= stop:
            break
        if i >= start:
            same = equal(item, value)
            if same:
                return i
        i += 1
    return -1


def is_size(n):
    """Tell whether a number is an int that the real methods take for an index or a size."""
    kind = type(n)
    if kind is not int:
        return False
    if n < -9223372036854775808:
        return False
    return n <= 9223372036854775807


def list_insert(items, index, value, /):
    """Put a value before the item at an index, or behind the last one."""
    fits = is_size(index)
    if not fits:
        return items.insert(index, value)
    size = len(items)
    if index < 0:
        index += size
        if index < 0:
            index = 0
    if index > size:
        index = size
    open_gap(items, index, value)


def open_gap(items, index, value):
    """Put a value before the item at an index: all items behind it move up by one."""
    i = len(items)
    items.append(value)
    while i > index:
        before = i - 1
        item = items[before]
        items[i] = item
        i = before
    items[i] = value


def list_pop(items, index=-1, /):
    """Take off the item at an index and return it."""
    fits = is_size(index)
    if not fits:
        return items.pop(index)
    size = len(items)
    if size == 0:
        raise IndexError("pop from empty list")
    if index < 0:
        index += size
        if index < 0:
            raise IndexError("pop index out of range")
    if index >= size:
        raise IndexError("pop index out of range")
    value = items[index]
    close_gap(items, index)
    return value


def close_gap(items, index):
    """Take off the item at an index: all items behind it move down by one."""
    size = len(items)
    last = size - 1
    while index < last:
        after = index + 1
        item = items[after]
        items[index] = item
        index = after
    items.pop()


def list_remove(items, value, /):
    """Take off the first item that equals a value."""
    i = 0
    for item in items:
        same = equal(item, value)
        if same:
            close_gap(items, i)
            return
        i += 1
    raise ValueError("list.remove(x): x not in list")


def list_reverse(items, /):
    """Swap the first item with the last, the second with the one before it, and so on."""
    size = len(items)
    left = 0
    right = size - 1
    while left < right:
        first = items[left]
        last = items[right]
        items[left] = last
        items[right] = first
        left += 1
        right -= 1
