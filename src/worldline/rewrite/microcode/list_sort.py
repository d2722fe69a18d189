"""This file is sorting, for `list.sort` and `sorted`: up to 63 items by insertion, more by merging runs.

That is what CPython does with up to 63 items. Comparisons in another order would show where `<` is no order
at all (for nan and for sets the real sort is asked) or where an own `__lt__` has effects of its own.
"""


def list_sort(items, /, *, key=None, reverse=False):
    """Sort a list in place; equal items keep their order."""
    kind = type(reverse)
    if kind is not bool:
        return items.sort(key=key, reverse=reverse)
    values = list_copy(items)
    if key is None:
        sort_into(items, values, values, reverse)
        return
    # As in CPython, the list is empty while the key function runs.
    list_clear(items)
    try:
        keys = sort_keys(values, key)
        sort_into(values, values, keys, reverse)
    finally:
        added = len(items)
        list_clear(items)
        list_extend(items, values)
    if added > 0:
        raise ValueError("list modified during sort")


def sort_into(items, values, keys, reverse):
    """Put values into a list, sorted by the key that stands at the same place.

    Where two keys cannot be compared, the list is left as far as it has been sorted.
    """
    values = list_copy(values)
    places = []
    i = 0
    for value in values:
        places.append(i)
        i += 1
    try:
        order_places(places, keys, reverse)
    finally:
        i = 0
        for place in places:
            item = values[place]
            items[i] = item
            i += 1


def sort_keys(items, key):
    """Ask the key function about each item, once."""
    keys = []
    for item in items:
        value = key(item)
        keys.append(value)
    return keys


def order_places(places, keys, reverse):
    """Bring places into the order of their keys."""
    ordered = has_orders(keys)
    if not ordered:
        result = sort_unordered(places, keys, reverse)
        copy_over(result, places, 0)
        return
    if reverse:
        list_reverse(places)
    try:
        sort_places(places, keys)
    finally:
        if reverse:
            list_reverse(places)


def has_orders(keys):
    """Tell whether `<` orders all keys."""
    unordered = {float, set, frozenset}
    for value in keys:
        kind = type(value)
        if kind in unordered:
            good = has_order(value)
            if not good:
                return False
    return True


def copy_over(source, target, start):
    """Write a list over the items of another, from a place on."""
    i = start
    for item in source:
        target[i] = item
        i += 1


def has_order(value):
    """Tell whether `<` orders a value: not sets, whose `<` is "part of", and not the float nan."""
    kind = type(value)
    if kind is not float:
        return False
    return value == value


def sort_unordered(places, keys, reverse):
    """Let Python sort where `<` is no order: the result hangs on which items it compares."""
    key = item_getter(keys)
    if reverse:
        return sorted(places, key=key, reverse=True)
    if not reverse:
        return sorted(places, key=key)


def item_getter(items):
    """Give the function that gives the item at a place."""
    if items is not None:
        return getattr(items, "__getitem__")


def sort_places(places, keys):
    """Sort places by their keys, in place."""
    size = len(places)
    if size < 64:
        sort_run(places, keys, 0, size)
        return
    runs = []
    start = 0
    while start < size:
        stop = start + 32
        if stop > size:
            stop = size
        sort_run(places, keys, start, stop)
        run = list_slice(places, start, stop, 1)
        runs.append(run)
        start = stop
    result = merge_all(runs, keys)
    copy_over(result, places, 0)


def sort_run(places, keys, start, stop):
    """Sort the places between two bounds: leave those already in order, then insert the others."""
    i = first_run(places, keys, start, stop)
    while i < stop:
        insert_sorted(places, keys, start, i)
        i += 1


def first_run(places, keys, start, stop):
    """Find how far the keys do not fall, or how far they fall (and turn that part round)."""
    rising = True
    i = start
    while i < stop:
        place = places[i]
        value = keys[place]
        size = i - start
        if size > 0:
            falls = op_lt(value, last)
            if size == 1:
                rising = not falls
            elif falls:
                if rising:
                    break
            elif not rising:
                break
        last = value
        i += 1
    if not rising:
        turn_round(places, start, i)
    return i


def turn_round(items, start, stop):
    """Reverse the part of a list between two bounds."""
    low = start
    high = stop - 1
    while low < high:
        one = items[low]
        other = items[high]
        items[low] = other
        items[high] = one
        low += 1
        high -= 1


def insert_sorted(places, keys, start, at):
    """Move the place at `at` behind all those before it whose keys are not greater, found by halving."""
    place = places[at]
    value = keys[place]
    low = start
    high = at
    while low < high:
        total = low + high
        middle = total // 2
        other = places[middle]
        rival = keys[other]
        less = op_lt(value, rival)
        if less:
            high = middle
        else:
            low = middle + 1
    i = at
    while i > low:
        before = i - 1
        other = places[before]
        places[i] = other
        i = before
    places[low] = place


def merge_all(runs, keys):
    """Merge neighbouring runs in pairs until one is left."""
    count = len(runs)
    while count > 1:
        merged = []
        i = 0
        while i < count:
            run = runs[i]
            i += 1
            if i < count:
                right = runs[i]
                run = merge_runs(run, right, keys)
                i += 1
            merged.append(run)
        runs = merged
        count = len(runs)
    return runs[0]


def merge_runs(left, right, keys):
    """Merge two sorted runs; of equal keys the left one comes first."""
    result = []
    size = len(left)
    i = 0
    for place in right:
        value = keys[place]
        while i < size:
            other = left[i]
            rival = keys[other]
            less = op_lt(value, rival)
            if less:
                break
            result.append(other)
            i += 1
        result.append(place)
    while i < size:
        other = left[i]
        result.append(other)
        i += 1
    return result
