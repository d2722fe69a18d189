"""This file is the built-in functions that give items when asked: each checks at once and walks later.

The walks are generators: unlike Python's own, they end for good with the first exception, and their type and
`repr` are those of a generator.
"""


def builtin_enumerate(iterable, start=0):
    """Walk over pairs of number and item."""
    kind = type(start)
    if kind is not int:
        return enumerate(iterable, start)
    walk = iter(iterable)
    result = lazy_enumerate(walk, start)
    return result


def lazy_enumerate(walk, number):
    """Give each item with its number."""
    for item in walk:
        pair = (number, item)
        yield pair
        number += 1


def builtin_filter(function, iterable, /):
    """Walk over the items for which a function says yes; without a function, over those that are true."""
    walk = iter(iterable)
    if function is None:
        result = lazy_true(walk)
    else:
        result = lazy_filter(function, walk)
    return result


def lazy_true(walk):
    """Give each item that is true."""
    for item in walk:
        if item:
            yield item


def lazy_filter(function, walk):
    """Give each item for which a function says yes; a StopIteration from it ends the walk."""
    try:
        for item in walk:
            good = function(item)
            if good:
                yield item
    except StopIteration:
        return


def builtin_map(function, /, *iterables):
    """Walk over what a function makes of each item, or of one item of each iterable."""
    count = len(iterables)
    if count == 1:
        items = iterables[0]
        walk = iter(items)
        result = lazy_map(function, walk)
        return result
    if count == 0:
        return map(function)
    walks = begin_walks(iterables)
    result = lazy_map_rows(function, walks)
    return result


def begin_walks(iterables):
    """Begin a walk over each of some iterables."""
    walks = []
    for iterable in iterables:
        walk = iter(iterable)
        walks.append(walk)
    return walks


def lazy_map(function, walk):
    """Give what a function makes of each item; a StopIteration from it ends the walk."""
    try:
        for item in walk:
            value = function(item)
            yield value
    except StopIteration:
        return


def lazy_map_rows(function, walks):
    """Give what a function makes of one item of each walk, until one of them ends."""
    rows = lazy_zip(walks, False)
    try:
        for row in rows:
            value = function(*row)
            yield value
    except StopIteration:
        return


def builtin_reversed(sequence, /):
    """Walk from the last item to the first."""
    kind = type(sequence)
    kinds = {list, tuple, str, range}
    if kind not in kinds:
        return reversed(sequence)
    short = has_size(sequence)
    if not short:
        return reversed(sequence)
    size = len(sequence)
    result = lazy_reversed(sequence, size)
    return result


def has_size(sequence):
    """Tell whether a sequence has a length: a range may be too long for one."""
    try:
        len(sequence)
    except OverflowError:
        return False
    return True


def lazy_reversed(sequence, size):
    """Give the items from the last of `size` to the first; the end comes early if there are fewer by then."""
    i = size - 1
    while i >= 0:
        size = len(sequence)
        if i >= size:
            break
        item = sequence[i]
        yield item
        i -= 1


def builtin_zip(*iterables, strict=False):
    """Walk over tuples of one item of each iterable, until one of them ends."""
    walks = begin_walks(iterables)
    result = lazy_zip(walks, strict)
    return result


def lazy_zip(walks, strict):
    """Give tuples of one item of each walk, until one of them ends."""
    count = len(walks)
    nothing = []
    while count > 0:
        row = []
        for walk in walks:
            item = next(walk, nothing)
            if item is nothing:
                break
            row.append(item)
        size = len(row)
        if size < count:
            if strict:
                check_all_end(walks, size, nothing)
            return
        pair = tuple(row)
        yield pair


def check_all_end(walks, place, nothing):
    """Say which walk is shorter or longer than those before it, when the one at a place has ended."""
    if place > 0:
        raise_uneven(place, "shorter")
    count = len(walks)
    i = 1
    while i < count:
        walk = walks[i]
        item = next(walk, nothing)
        if item is not nothing:
            raise_uneven(i, "longer")
        i += 1


def raise_uneven(place, how):
    """Raise the error of `zip(strict=True)` about the walk at a place."""
    number = place + 1
    shown = int_repr(number)
    message = str_add("zip() argument ", shown)
    message = str_add(message, " is ")
    message = str_add(message, how)
    if place == 1:
        message = str_add(message, " than argument 1")
    else:
        message = str_add(message, " than arguments 1-")
        shown = int_repr(place)
        message = str_add(message, shown)
    raise ValueError(message)
