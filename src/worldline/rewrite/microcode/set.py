"""This file is the methods of `set`, one key at a time.

The order of a set follows from how its table came about. Where CPython adds or takes out keys one by one, so
does microcode, and the order is the same. Where CPython works on whole tables (`clear`, `copy`, `pop`, and
joining a set or a dict in `union` and `update`) no loop gives the same order, and the real method is called.
"""


def set_add(items, key, /):
    """Put in a key."""
    items.add(key)


def set_clear(items, /):
    """Take out all keys; the real method also makes the table small again."""
    kind = type(items)
    if kind is set:
        return items.clear()


def set_copy(items, /):
    """Give a new set of the same keys; the real method copies the table as it is."""
    kind = type(items)
    if kind is set:
        return items.copy()


def set_discard(items, key, /):
    """Take out a key if it is there."""
    items.discard(key)


def set_pop(items, /):
    """Take out some key and give it; which one depends on the table and on what was taken before."""
    size = len(items)
    if size > 0:
        return items.pop()
    raise KeyError("pop from an empty set")


def set_remove(items, key, /):
    """Take out a key that must be there."""
    if key not in items:
        raise KeyError(key)
    items.discard(key)


def is_set(value):
    """Tell whether a value is a set or a frozenset; None for one of an own type, which is left to Python."""
    kind = type(value)
    kinds = {set, frozenset}
    if kind in kinds:
        return True
    own = is_own_set(value)
    if own:
        return None
    return False


def is_own_set(value):
    """Tell whether a value that is neither set nor frozenset is of a type made from these."""
    kind = type(value)
    plain = {list, tuple, str, dict}
    if kind not in plain:
        kinds = (set, frozenset)
        return isinstance(value, kinds)
    return False


def set_update(items, /, *others):
    """Put in all keys of each iterable."""
    for other in others:
        add_keys(items, other)


def add_keys(items, other):
    """Put in all keys of an iterable; a whole table is left to the real method, for the sake of the order."""
    kind = type(other)
    if kind is dict:
        return items.update(other)
    table = is_set(other)
    if table is not False:
        return items.update(other)
    for key in other:
        items.add(key)


def set_union(items, /, *others):
    """Give a new set of the keys of all."""
    result = set_copy(items)
    for other in others:
        if other is not items:
            add_keys(result, other)
    return result


def set_intersection(items, /, *others):
    """Give a new set of the keys that are in all."""
    count = len(others)
    if count == 0:
        return items.copy()
    result = items
    for other in others:
        result = intersect(result, other)
    return result


def intersect(items, other):
    """Give a new set of the keys that are in both."""
    if items is other:
        return items.copy()
    keys = common_keys(items, other)
    if keys is None:
        return items.intersection(other)
    result = set()
    for key in keys:
        result.add(key)
    return result


def common_keys(items, other):
    """List the keys that are in both; of two sets the smaller one is walked. None: left to Python."""
    table = is_set(other)
    if table is None:
        return None
    if not table:
        keys = listed_keys(items, other)
        return keys
    size = len(items)
    other_size = len(other)
    if other_size > size:
        smaller = items
        items = other
        other = smaller
    keys = []
    for key in other:
        if key in items:
            keys.append(key)
    return keys


def listed_keys(items, other):
    """List the keys of a set that an iterable has too.

    None, which is left to Python, if it has them all: whether the rest is still walked is up to the version.
    """
    kind = type(other)
    kinds = {list, tuple, str, dict}
    if kind not in kinds:
        return None
    size = len(items)
    keys = []
    found = set()
    for key in other:
        if key in items:
            keys.append(key)
            found.add(key)
            count = len(found)
            if count == size:
                return None
    return keys


def set_intersection_update(items, /, *others):
    """Keep only the keys that are in all."""
    count = len(others)
    if count != 1:
        return items.intersection_update(*others)
    other = others[0]
    if other is items:
        return items.intersection_update(other)
    keys = common_keys(items, other)
    if keys is None:
        return items.intersection_update(other)
    set_clear(items)
    for key in keys:
        items.add(key)


def set_difference(items, /, *others):
    """Give a new set of the keys that are in none of the others."""
    count = len(others)
    if count == 0:
        return items.copy()
    other = others[0]
    own = is_own_set(other)
    if own:
        return items.difference(*others)
    copied = is_copied(items, other)
    if copied:
        result = set_copy(items)
        take_out(result, other)
    else:
        result = set()
        for key in items:
            if key not in other:
                result.add(key)
    i = 1
    while i < count:
        other = others[i]
        take_out(result, other)
        i += 1
    return result


def is_copied(items, other):
    """Tell whether a difference begins with a copy: when there is little to take out, or not from a table."""
    kind = type(other)
    if kind is not dict:
        table = is_set(other)
        if not table:
            return True
    size = len(items)
    quarter = size // 4
    other_size = len(other)
    return quarter > other_size


def set_difference_update(items, /, *others):
    """Take out all keys of each iterable."""
    for other in others:
        take_out(items, other)


def take_out(items, other):
    """Take out all keys of an iterable."""
    if other is items:
        return items.clear()
    own = is_own_set(other)
    if own:
        return items.difference_update(other)
    for key in other:
        items.discard(key)
    tidy_table(items)


def tidy_table(items):
    """Take nothing out: the real method then drops the gaps in the table, as it does after each walk."""
    kind = type(items)
    if kind is set:
        return items.difference_update("")


def set_symmetric_difference(items, other, /):
    """Give a new set of the keys that are in one of the two only."""
    result = builtin_set(other)
    for key in items:
        toggle(result, key)
    return result


def set_symmetric_difference_update(items, other, /):
    """Put in each key of an iterable that is not there, and take out each that is."""
    if other is items:
        return items.clear()
    kind = type(other)
    if kind is not dict:
        table = is_set(other)
        if table is None:
            return items.symmetric_difference_update(other)
        if not table:
            other = builtin_set(other)
    for key in other:
        toggle(items, key)


def toggle(items, key):
    """Take out a key that is there, put it in if it is not."""
    if key in items:
        items.discard(key)
    else:
        items.add(key)


def set_isdisjoint(items, other, /):
    """Tell whether two have no key in common; of two sets the smaller one is walked."""
    table = is_set(other)
    if table is None:
        return items.isdisjoint(other)
    if table:
        size = len(items)
        other_size = len(other)
        if other_size > size:
            smaller = items
            items = other
            other = smaller
    for key in other:
        if key in items:
            return False
    return True


def set_issubset(items, other, /):
    """Tell whether all keys of a set are in an iterable."""
    table = is_set(other)
    if table is None:
        return items.issubset(other)
    size = len(items)
    if not table:
        keys = listed_keys(items, other)
        if keys is None:
            return items.issubset(other)
        return size == 0
    other_size = len(other)
    if size > other_size:
        return False
    for key in items:
        if key not in other:
            return False
    return True


def set_issuperset(items, other, /):
    """Tell whether all keys of an iterable are in a set."""
    own = is_own_set(other)
    if own:
        return items.issuperset(other)
    for key in other:
        if key not in items:
            return False
    return True


def frozenset_copy(items, /):
    """Give the frozenset itself, which cannot change."""
    return items


def frozenset_isdisjoint(items, other, /):
    """Tell whether two have no key in common."""
    result = set_isdisjoint(items, other)
    return result


def frozenset_issubset(items, other, /):
    """Tell whether all keys of a frozenset are in an iterable."""
    result = set_issubset(items, other)
    return result


def frozenset_issuperset(items, other, /):
    """Tell whether all keys of an iterable are in a frozenset."""
    result = set_issuperset(items, other)
    return result
