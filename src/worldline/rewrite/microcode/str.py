"""This file is the operators of `str`, its slices, `repr` and `str.join`, one character at a time."""


def str_eq(text, other):
    """Tell whether two texts are equal: `text == other`."""
    kind = type(other)
    if kind is not str:
        return text == other
    size = len(text)
    other_size = len(other)
    if size != other_size:
        return False
    i = 0
    while i < size:
        a = text[i]
        b = other[i]
        if a != b:
            return False
        i += 1
    return True


def str_lt(text, other):
    """Tell which text comes first, by the first characters that differ: `text < other`."""
    kind = type(other)
    if kind is not str:
        return text < other
    size = len(text)
    other_size = len(other)
    i = 0
    while i < size:
        if i == other_size:
            return False
        a = text[i]
        b = other[i]
        if a != b:
            return a < b
        i += 1
    return size < other_size


def str_contains(text, sub):
    """Tell whether `sub` occurs in a text: `sub in text`."""
    kind = type(sub)
    if kind is not str:
        return sub in text
    size = len(text)
    i = find_forward(text, sub, 0, size)
    return i >= 0


def str_add(text, other):
    """Put another text behind a text: `text + other`."""
    kind = type(other)
    if kind is not str:
        return text + other
    size = len(text)
    if size == 0:
        return other
    size = len(other)
    i = 0
    while i < size:
        c = other[i]
        text += c
        i += 1
    return text


def str_mul(text, n):
    """Repeat a text: `text * n`."""
    fits = is_size(n)
    if not fits:
        return text * n
    size = len(text)
    if size == 0:
        n = 0
    total = size * n
    if total > 1000000:  # too long to watch, or for any memory
        return text * n
    if n == 1:
        return text
    result = ""
    while n > 0:
        result = str_add(result, text)
        n -= 1
    return result


def str_slice(text, start, stop, step):
    """Take every `step`-th character from `start` to before `stop`: `text[start:stop:step]`."""
    plain = slice_is_plain(start, stop, step)
    if not plain:
        return text[start:stop:step]
    if step is None:
        step = 1
    if step == 0:
        raise ValueError("slice step cannot be zero")
    size = len(text)
    i = slice_start(start, step, size)
    end = slice_stop(stop, step, size)
    if step == 1:
        result = text_between(text, i, end)
        return result
    result = ""
    if step > 0:
        while i < end:
            c = text[i]
            result += c
            i += step
    else:
        while i > end:
            c = text[i]
            result += c
            i += step
    return result


def text_between(text, start, end):
    """Copy the characters from `start` to before `end`, two positions in the text."""
    size = len(text)
    length = end - start
    if length == size:
        return text
    result = ""
    while start < end:
        c = text[start]
        result += c
        start += 1
    return result


def str_join(text, iterable, /):
    """Put `text` between items and all of them together."""
    kind = type(iterable)
    if kind is list:
        items = iterable
    elif kind is tuple:
        items = iterable
    elif kind is str:
        items = iterable
    else:
        try:
            walk = iter(iterable)
        except TypeError:
            walk = None
        if walk is None:
            return text.join(iterable)
        items = []
        for item in walk:
            items.append(item)
    size = len(items)
    i = 0
    while i < size:
        item = items[i]
        kind = type(item)
        if kind is not str:
            return text.join(items)
        i += 1
    if size == 1:
        return item
    result = ""
    i = 0
    while i < size:
        if i > 0:
            result = str_add(result, text)
        item = items[i]
        result = str_add(result, item)
        i += 1
    return result


def str_repr(text):
    """Write a text as Python source: `repr(text)`."""
    quote = repr_quote(text)
    result = quote
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        printable = char_is_printable(c)
        if c == quote:
            result += "\\"
            result += c
        elif c == "\\":
            result += "\\"
            result += c
        elif printable:
            result += c
        else:
            code = ord(c)
            if code > 127:
                return repr(text)
            result = add_escape(result, c, code)
        i += 1
    result += quote
    return result


def repr_quote(text):
    """Choose the quotes of a `repr`: double ones only for a text with single ones and no double ones."""
    quote = "'"
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        if c == '"':
            return "'"
        if c == "'":
            quote = '"'
        i += 1
    return quote


def add_escape(result, c, code):
    """Add the escape of an ASCII character that cannot be shown."""
    result += "\\"
    if c == "\n":
        result += "n"
        return result
    if c == "\r":
        result += "r"
        return result
    if c == "\t":
        result += "t"
        return result
    result += "x"
    digits = "0123456789abcdef"
    high = code // 16
    low = code % 16
    c = digits[high]
    result += c
    c = digits[low]
    result += c
    return result
