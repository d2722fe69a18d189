"""This file is the methods and operators of `dict`, one key at a time.

`dict_items`, `dict_keys` and `dict_values` are walks, not views: they serve where a view is walked at once.
"""


def dict_clear(table, /):
    """Take out all keys."""
    keys = list_copy(table)
    for key in keys:
        del table[key]


def dict_copy(table, /):
    """Give a new dict of the same keys and values."""
    result = {}
    for key in table:
        value = table[key]
        result[key] = value
    return result


def dict_fromkeys(table, iterable, value=None, /):
    """Give a new dict of the keys of an iterable, each with the same value; `table` plays no part."""
    result = {}
    for key in iterable:
        result[key] = value
    return result


def dict_get(table, key, default=None, /):
    """Give the value of a key, or the default."""
    if key in table:
        return table[key]
    return default


def dict_items(table, /):
    """Walk over pairs of key and value."""
    for key in table:
        value = table[key]
        pair = (key, value)
        yield pair


def dict_keys(table, /):
    """Walk over the keys."""
    for key in table:
        yield key


def dict_values(table, /):
    """Walk over the values."""
    for key in table:
        value = table[key]
        yield value


def dict_pop(table, key, /, *default):
    """Take out a key and give its value, or the default."""
    count = len(default)
    if count > 1:
        return table.pop(key, *default)
    size = len(table)
    if size > 0:  # in an empty dict CPython does not even hash the key
        if key in table:
            value = table[key]
            del table[key]
            return value
    if count == 0:
        raise KeyError(key)
    return default[0]


def dict_popitem(table, /):
    """Take out the key that came last and give it with its value."""
    size = len(table)
    if size == 0:
        raise KeyError("popitem(): dictionary is empty")
    for key in table:
        last = key
    value = table[last]
    del table[last]
    return (last, value)


def dict_setdefault(table, key, default=None, /):
    """Give the value of a key; a new key gets the default."""
    if key in table:
        return table[key]
    table[key] = default
    return default


def dict_update(table, other=(), /):
    """Put in all keys and values of a dict, or of an iterable of pairs."""
    kind = type(other)
    if kind is dict:
        update_from_dict(table, other)
        return
    mapping = has_keys(other)
    if mapping:
        return table.update(other)
    update_from_pairs(table, other)


def has_keys(value):
    """Tell whether a value that is no dict has keys, which is how `dict.update` knows a mapping."""
    kind = type(value)
    if kind is list:
        return False
    if kind is not tuple:
        return hasattr(value, "keys")
    return False


def update_from_dict(table, other):
    """Put in all keys and values of a dict."""
    if other is table:
        return
    for key in other:
        value = other[key]
        table[key] = value


def update_from_pairs(table, pairs):
    """Put in each pair of an iterable: first the key, then the value."""
    seen = []
    for pair in pairs:
        seen.append(pair)
        good = is_pair(pair)
        if good:
            key = pair[0]
            value = pair[1]
            table[key] = value
        else:
            update_with_last(table, seen)


def is_pair(pair):
    """Tell whether something is a tuple, a list or a text of two."""
    kind = type(pair)
    kinds = {tuple, list, str}
    if kind not in kinds:
        return False
    size = len(pair)
    return size == 2


def update_with_last(table, seen):
    """Let Python look at the last of the pairs seen: it says which one is wrong and why."""
    count = len(seen)
    if count > 0:
        return table.update(seen)


def dict_or(table, other):
    """Give a new dict of the keys of both, with the values of the second: `table | other`."""
    kind = type(other)
    if kind is not dict:
        return table | other
    result = dict_copy(table)
    update_from_dict(result, other)
    return result


def dict_ior(table, other):
    """Put in all keys and values of a dict, or of an iterable of pairs: `table |= other`."""
    dict_update(table, other)
    return table


def dict_eq(table, other):
    """Tell whether two dicts have the same keys with equal values: `table == other`."""
    kind = type(other)
    if kind is not dict:
        return table == other
    size = len(table)
    other_size = len(other)
    if size != other_size:
        return False
    for key in table:
        if key not in other:
            return False
        value = table[key]
        rival = other[key]
        same = equal(rival, value)
        if not same:
            return False
    return True


def dict_repr(table):
    """Write a dict as Python source: `repr(table)`."""
    outer = []
    text = repr_within(table, outer)
    return text


def dict_itself(table):
    """Give the dict, which is as long as `keys()`, `values()` or `items()` of it."""
    return table
