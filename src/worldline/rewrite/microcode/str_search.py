"""This file is how `str` looks for a text in a text, and what it does with the places it finds."""


def occurs_at(text, sub, at):
    """Tell whether `sub` stands in a text at one position, where there is room for it."""
    size = len(sub)
    k = 0
    while k < size:
        a = text[at]
        b = sub[k]
        if a != b:
            return False
        at += 1
        k += 1
    return True


def find_forward(text, sub, start, end):
    """Give the first position of `sub` between two positions, or -1."""
    size = len(sub)
    last = end - size
    i = start
    while i <= last:
        found = occurs_at(text, sub, i)
        if found:
            return i
        i += 1
    return -1


def find_backward(text, sub, start, end):
    """Give the last position of `sub` between two positions, or -1."""
    size = len(sub)
    i = end - size
    while i >= start:
        found = occurs_at(text, sub, i)
        if found:
            return i
        i -= 1
    return -1


def range_start(start, size):
    """Give the position where a search begins; beyond the end is left there, where nothing is found."""
    if start is None:
        return 0
    if start < 0:
        start = start + size
        if start < 0:
            return 0
    return start


def search_is_plain(sub, start, end):
    """Tell whether a search is for a text, between bounds that are None or ints."""
    kind = type(sub)
    if kind is not str:
        return False
    plain = slice_is_plain(start, end, None)
    return plain


def str_find(text, sub, start=None, end=None, /):
    """Give the first position of `sub` in `text[start:end]`, or -1."""
    plain = search_is_plain(sub, start, end)
    if not plain:
        return text.find(sub, start, end)
    size = len(text)
    first = range_start(start, size)
    last = slice_stop(end, 1, size)
    i = find_forward(text, sub, first, last)
    return i


def str_rfind(text, sub, start=None, end=None, /):
    """Give the last position of `sub` in `text[start:end]`, or -1."""
    plain = search_is_plain(sub, start, end)
    if not plain:
        return text.rfind(sub, start, end)
    size = len(text)
    first = range_start(start, size)
    last = slice_stop(end, 1, size)
    i = find_backward(text, sub, first, last)
    return i


def str_index(text, sub, start=None, end=None, /):
    """Give the first position of `sub` in `text[start:end]`, where it must be."""
    plain = search_is_plain(sub, start, end)
    if not plain:
        return text.index(sub, start, end)
    i = str_find(text, sub, start, end)
    if i < 0:
        raise ValueError("substring not found")
    return i


def str_rindex(text, sub, start=None, end=None, /):
    """Give the last position of `sub` in `text[start:end]`, where it must be."""
    plain = search_is_plain(sub, start, end)
    if not plain:
        return text.rindex(sub, start, end)
    i = str_rfind(text, sub, start, end)
    if i < 0:
        raise ValueError("substring not found")
    return i


def str_count(text, sub, start=None, end=None, /):
    """Count where `sub` occurs in `text[start:end]`, each behind the one before."""
    plain = search_is_plain(sub, start, end)
    if not plain:
        return text.count(sub, start, end)
    size = len(text)
    i = range_start(start, size)
    end = slice_stop(end, 1, size)
    width = len(sub)
    last = end - width
    count = 0
    while i <= last:
        found = occurs_at(text, sub, i)
        if found:
            count += 1
            i += width
            if width == 0:
                i += 1
        else:
            i += 1
    return count


def str_startswith(text, prefix, start=None, end=None, /):
    """Tell whether `text[start:end]` begins with a text, or with one of several."""
    plain = slice_is_plain(start, end, None)
    if not plain:
        return text.startswith(prefix, start, end)
    kind = type(prefix)
    if kind is tuple:
        prefixes = prefix
    else:
        prefixes = (prefix,)
    size = len(text)
    first = range_start(start, size)
    last = slice_stop(end, 1, size)
    size = len(prefixes)
    k = 0
    while k < size:
        sub = prefixes[k]
        kind = type(sub)
        if kind is not str:
            return text.startswith(prefix, start, end)
        width = len(sub)
        behind = first + width
        if behind <= last:
            found = occurs_at(text, sub, first)
            if found:
                return True
        k += 1
    return False


def str_endswith(text, suffix, start=None, end=None, /):
    """Tell whether `text[start:end]` ends with a text, or with one of several."""
    plain = slice_is_plain(start, end, None)
    if not plain:
        return text.endswith(suffix, start, end)
    kind = type(suffix)
    if kind is tuple:
        suffixes = suffix
    else:
        suffixes = (suffix,)
    size = len(text)
    first = range_start(start, size)
    last = slice_stop(end, 1, size)
    size = len(suffixes)
    k = 0
    while k < size:
        sub = suffixes[k]
        kind = type(sub)
        if kind is not str:
            return text.endswith(suffix, start, end)
        width = len(sub)
        at = last - width
        if at >= first:
            found = occurs_at(text, sub, at)
            if found:
                return True
        k += 1
    return False


def str_removeprefix(text, prefix, /):
    """Take `prefix` away from the beginning, if it is there."""
    kind = type(prefix)
    if kind is not str:
        return text.removeprefix(prefix)
    found = str_startswith(text, prefix)
    if not found:
        return text
    start = len(prefix)
    end = len(text)
    rest = text_between(text, start, end)
    return rest


def str_removesuffix(text, suffix, /):
    """Take `suffix` away from the end, if it is there."""
    kind = type(suffix)
    if kind is not str:
        return text.removesuffix(suffix)
    found = str_endswith(text, suffix)
    if not found:
        return text
    size = len(text)
    width = len(suffix)
    end = size - width
    rest = text_between(text, 0, end)
    return rest


def str_partition(text, sep, /):
    """Cut a text at the first `sep`: before it, itself, behind it."""
    kind = type(sep)
    if kind is not str:
        return text.partition(sep)
    width = len(sep)
    if width == 0:
        raise ValueError("empty separator")
    size = len(text)
    i = find_forward(text, sep, 0, size)
    if i < 0:
        return (text, "", "")
    before = text_between(text, 0, i)
    start = i + width
    behind = text_between(text, start, size)
    return (before, sep, behind)


def str_rpartition(text, sep, /):
    """Cut a text at the last `sep`: before it, itself, behind it."""
    kind = type(sep)
    if kind is not str:
        return text.rpartition(sep)
    width = len(sep)
    if width == 0:
        raise ValueError("empty separator")
    size = len(text)
    i = find_backward(text, sep, 0, size)
    if i < 0:
        return ("", "", text)
    before = text_between(text, 0, i)
    start = i + width
    behind = text_between(text, start, size)
    return (before, sep, behind)


def str_replace(text, old, new, count=-1, /):
    """Put `new` for every `old`, at most `count` times if that is not negative."""
    kind = type(old)
    if kind is not str:
        return text.replace(old, new, count)
    kind = type(new)
    if kind is not str:
        return text.replace(old, new, count)
    fits = is_size(count)
    if not fits:
        return text.replace(old, new, count)
    if old is new:
        return text
    width = len(old)
    if width == 0:
        result = insert_everywhere(text, new, count)
        return result
    size = len(text)
    last = size - width
    result = ""
    done = 0
    i = 0
    while i < size:
        found = False
        if done != count:
            if i <= last:
                found = occurs_at(text, old, i)
        if found:
            result = str_add(result, new)
            done += 1
            i += width
        else:
            c = text[i]
            result += c
            i += 1
    if done == 0:
        return text
    return result


def insert_everywhere(text, new, count):
    """Put `new` before every character and at the end, at most `count` times if that is not negative."""
    if count == 0:
        return text
    result = ""
    size = len(text)
    i = 0
    while i < size:
        if count != 0:
            result = str_add(result, new)
            count -= 1
        c = text[i]
        result += c
        i += 1
    if count != 0:
        result = str_add(result, new)
    return result
