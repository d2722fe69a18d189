"""This file is stars: what `*part` and `**part` put into a display, and what `a, *b = values` takes apart."""


def star_items(part):
    """Give what `*part` walks through in a display."""
    known = star_known(part)
    if not known:
        return [*part]
    return part


def star_table(part):
    """Give the dict whose keys and values `**part` puts into a display."""
    kind = type(part)
    if kind is not dict:
        return {**part}
    return part


def star_unpacked(values, before, after):
    """Give the first items, a list of those in the middle, and the last ones: `a, *b, c = values`."""
    items = star_taken(values)
    size = len(items)
    least = before + after
    if size < least:
        message = star_shortage(least, size)
        raise ValueError(message)
    first = []
    middle = []
    last = []
    stop = size - after
    i = 0
    for item in items:
        if i < before:
            first.append(item)
        if i >= before:
            if i < stop:
                middle.append(item)
            if i >= stop:
                last.append(item)
        i += 1
    first.append(middle)
    for item in last:
        first.append(item)
    return first


def star_taken(values):
    """Give something of known length with the values that are to be unpacked."""
    known = star_known(values)
    if not known:
        [*items] = values
        return items
    return values


def star_known(values):
    """Say whether the values have a length and can be walked through as they are."""
    kind = type(values)
    kinds = {list, tuple, str, dict}
    if kind in kinds:
        return True
    kinds = {range, set, frozenset}
    return kind in kinds


def star_shortage(least, size):
    """Say that there are too few values."""
    message = "not enough values to unpack (expected at least "
    shown = builtin_str(least)
    message = str_add(message, shown)
    message = str_add(message, ", got ")
    shown = builtin_str(size)
    message = str_add(message, shown)
    message = str_add(message, ")")
    return message
