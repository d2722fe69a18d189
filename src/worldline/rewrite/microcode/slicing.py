"""This file is where a slice begins and ends, for every type that has slices."""


def slice_is_plain(start, stop, step):
    """Tell whether all three bounds are None or ints, which is what microcode slices by."""
    plain = bound_is_plain(start)
    if not plain:
        return False
    plain = bound_is_plain(stop)
    if not plain:
        return False
    plain = bound_is_plain(step)
    return plain


def bound_is_plain(bound):
    """Tell whether a bound is None or an int."""
    if bound is None:
        return True
    kind = type(bound)
    return kind is int


def slice_start(start, step, size):
    """Give the first index of a slice of `size` items; `step` is an int other than 0."""
    if step < 0:
        first = size - 1
        outside = -1
    else:
        first = 0
        outside = 0
    if start is None:
        return first
    if start < 0:
        start = start + size
        if start < 0:
            return outside
        return start
    if start < size:
        return start
    if step < 0:
        return first
    return size


def slice_stop(stop, step, size):
    """Give the index before which a slice of `size` items ends; going down, -1 is before the first."""
    if step < 0:
        outside = -1
        most = size - 1
    else:
        outside = 0
        most = size
    if stop is None:
        if step < 0:
            return outside
        return most
    if stop < 0:
        stop = stop + size
        if stop < 0:
            return outside
        return stop
    if stop < size:
        return stop
    return most
