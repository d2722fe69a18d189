"""This file is the operators of `list`, its slices and its `repr`, one item at a time."""


def list_add(items, other):
    """Give a new list of the items of both: `items + other`."""
    kind = type(other)
    if kind is not list:
        return items + other
    result = list_copy(items)
    list_extend(result, other)
    return result


def list_iadd(items, other):
    """Put the items of an iterable behind the last item: `items += other`."""
    adds = has_own_add(other)
    if adds:
        items += other
        return items
    list_extend(items, other)
    return items


def has_own_add(value):
    """Tell whether a value of another type adds itself to what stands before it."""
    kind = type(value)
    kinds = {list, tuple, str, dict}
    if kind not in kinds:
        return hasattr(kind, "__radd__")
    return False


def list_mul(items, n):
    """Give a new list in which the items come n times: `items * n`."""
    fits = is_size(n)
    if not fits:
        return items * n
    size = len(items)
    total = size * n
    if total > 1000000:  # too long to watch, or for any memory
        return items * n
    result = []
    if size == 0:
        return result
    while n > 0:
        list_extend(result, items)
        n -= 1
    return result


def list_imul(items, n):
    """Make the items of a list come n times: `items *= n`."""
    fits = is_size(n)
    if not fits:
        items *= n
        return items
    size = len(items)
    total = size * n
    if total > 1000000:  # too long to watch, or for any memory
        items *= n
        return items
    if total <= 0:
        list_clear(items)
        return items
    once = list_copy(items)
    while n > 1:
        list_extend(items, once)
        n -= 1
    return items


def list_contains(items, value):
    """Tell whether an item is or equals a value: `value in items`."""
    for item in items:
        same = equal(item, value)
        if same:
            return True
    return False


def list_eq(items, other):
    """Tell whether two lists have equal items at all places: `items == other`."""
    kind = type(other)
    if kind is not list:
        return items == other
    size = len(items)
    other_size = len(other)
    if size != other_size:
        return False
    result = items_equal(items, other)
    return result


def items_equal(items, other):
    """Tell whether two lists or two tuples have equal items at all places."""
    other_size = len(other)
    i = 0
    for item in items:
        if i >= other_size:
            return False
        rival = other[i]
        same = equal(item, rival)
        if not same:
            return False
        i += 1
    return i == other_size


def list_lt(items, other):
    """Compare the first items that differ, else the lengths: `items < other`."""
    kind = type(other)
    if kind is not list:
        return items < other
    result = compare_items(items, other, op_lt)
    return result


def list_le(items, other):
    """Compare the first items that differ, else the lengths: `items <= other`."""
    kind = type(other)
    if kind is not list:
        return items <= other
    result = compare_items(items, other, op_le)
    return result


def list_gt(items, other):
    """Compare the first items that differ, else the lengths: `items > other`."""
    kind = type(other)
    if kind is not list:
        return items > other
    result = compare_items(items, other, op_gt)
    return result


def list_ge(items, other):
    """Compare the first items that differ, else the lengths: `items >= other`."""
    kind = type(other)
    if kind is not list:
        return items >= other
    result = compare_items(items, other, op_ge)
    return result


def compare_items(items, other, compare):
    """Compare the first items that differ, else the lengths, of two lists or two tuples."""
    other_size = len(other)
    i = 0
    for item in items:
        if i >= other_size:
            break
        rival = other[i]
        same = equal(item, rival)
        if not same:
            result = compare(item, rival)
            return result
        i += 1
    size = len(items)
    result = compare(size, other_size)
    return result


def list_slice(items, start, stop, step):
    """Give a new list of every `step`-th item from `start` to before `stop`: `items[start:stop:step]`."""
    plain = slice_is_plain(start, stop, step)
    if not plain:
        return items[start:stop:step]
    places = slice_places(start, stop, step, items)
    result = []
    for i in places:
        item = items[i]
        result.append(item)
    return result


def slice_places(start, stop, step, items):
    """List the places that a slice takes, in its order."""
    if step is None:
        step = 1
    if step == 0:
        raise ValueError("slice step cannot be zero")
    size = len(items)
    i = slice_start(start, step, size)
    end = slice_stop(stop, step, size)
    places = []
    if step > 0:
        while i < end:
            places.append(i)
            i += step
    else:
        while i > end:
            places.append(i)
            i += step
    return places


def list_set_slice(items, start, stop, step, values):
    """Put values in place of a slice: `items[start:stop:step] = values`."""
    plain = slice_is_plain(start, stop, step)
    if not plain:
        items[start:stop:step] = values
        return
    if step is None:
        step = 1
    if step == 0:
        raise ValueError("slice step cannot be zero")
    try:
        walk = iter(values)
    except TypeError:
        walk = None
    if walk is None:
        items[start:stop:step] = values
        return
    new = []
    for value in walk:
        new.append(value)
    if step == 1:
        replace_items(items, start, stop, new)
        return
    places = slice_places(start, stop, step, items)
    size = len(new)
    room = len(places)
    if size != room:  # Python says what does not fit
        items[start:stop:step] = new
        return
    i = 0
    for place in places:
        value = new[i]
        items[place] = value
        i += 1


def replace_items(items, start, stop, new):
    """Put new items, however many, in place of those from `start` to before `stop`."""
    size = len(items)
    start = slice_start(start, 1, size)
    stop = slice_stop(stop, 1, size)
    if stop < start:
        stop = start
    rest = []
    while stop < size:
        item = items[stop]
        rest.append(item)
        stop += 1
    while size > start:
        items.pop()
        size -= 1
    list_extend(items, new)
    list_extend(items, rest)


def list_del_slice(items, start, stop, step):
    """Take off the items of a slice: `del items[start:stop:step]`."""
    plain = slice_is_plain(start, stop, step)
    if not plain:
        del items[start:stop:step]
        return
    places = slice_places(start, stop, step, items)
    gone = set()
    for place in places:
        gone.add(place)
    kept = []
    i = 0
    for item in items:
        if i not in gone:
            kept.append(item)
        i += 1
    list_clear(items)
    list_extend(items, kept)


def list_del_item(items, index):
    """Take off the item at an index: `del items[index]`."""
    fits = is_size(index)
    if not fits:
        del items[index]
        return
    size = len(items)
    if index < 0:
        index += size
        if index < 0:
            raise IndexError("list assignment index out of range")
    if index >= size:
        raise IndexError("list assignment index out of range")
    close_gap(items, index)


def list_repr(items):
    """Write a list as Python source: `repr(items)`."""
    outer = []
    text = repr_within(items, outer)
    return text
