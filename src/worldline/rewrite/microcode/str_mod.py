"""This file is `text % values`: `%s`, `%r` and `%d` with `-`, `0` and a width, else Python's own."""


def str_mod(text, values):
    """Put values for the `%` fields of a text: `text % values`."""
    parts = percent_parts(text)
    if parts is None:
        return text % values
    items = percent_values(values)
    if items is None:
        return text % values
    wanted = count_fields(parts)
    count = len(items)
    if wanted != count:
        return text % values
    result = ""
    size = len(parts)
    k = 0
    i = 0
    while i < size:
        part = parts[i]
        kind = type(part)
        if kind is tuple:
            value = items[k]
            k += 1
            part = percent_text(part, value)
        result = str_add(result, part)
        i += 1
    return result


def percent_values(values):
    """Give the values as a tuple; None for types that may be taken in another way."""
    kind = type(values)
    if kind is tuple:
        return values
    single = values is None
    if kind is str:
        single = True
    elif kind is int:
        single = True
    elif kind is float:
        single = True
    elif kind is bool:
        single = True
    elif kind is list:
        single = True
    elif kind is set:
        single = True
    if not single:
        return None
    return (values,)


def count_fields(parts):
    """Count the parts that are fields."""
    count = 0
    size = len(parts)
    i = 0
    while i < size:
        part = parts[i]
        kind = type(part)
        if kind is tuple:
            count += 1
        i += 1
    return count


def percent_parts(text):
    """Cut a text into plain texts and fields as `percent_field` reads them; None if one is not simple."""
    parts = []
    plain = ""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        i += 1
        if c != "%":
            plain += c
            continue
        if i == size:
            return None
        c = text[i]
        if c == "%":
            plain += c
            i += 1
            continue
        parts.append(plain)
        plain = ""
        field = percent_field(text, i)
        if field is None:
            return None
        parts.append(field)
        spec = field[0]
        width = len(spec)
        width = width - 1
        i += width
    parts.append(plain)
    return parts


def percent_field(text, i):
    """Read a field from behind its `%`: (spec, letter, left, zeros, width), no letter if not simple."""
    start = i - 1
    size = len(text)
    left = False
    zero = False
    simple = True
    while i < size:
        c = text[i]
        flag = is_among(c, "-0+ #")
        if not flag:
            break
        if c == "-":
            left = True
        elif c == "0":
            zero = True
        else:
            simple = False
        i += 1
    begin = i
    i = digits_end(text, i)
    width = number_in(text, begin, i)
    if begin == i:
        width = 0
    if width < 0:
        return None
    if width > 1000000:
        return None
    if i < size:
        c = text[i]
        if c == ".":
            simple = False
            i += 1
            i = digits_end(text, i)
    if i == size:
        return None
    letter = text[i]
    known = is_among(letter, "sdirfeEgGxXoucaF")
    if not known:
        return None
    i += 1
    spec = text_between(text, start, i)
    atomic = is_among(letter, "sdir")
    if not atomic:
        simple = False
    if not simple:
        letter = ""
    return (spec, letter, left, zero, width)


def digits_end(text, i):
    """Give the position behind the ASCII digits from `i` on."""
    size = len(text)
    while i < size:
        c = text[i]
        digit = is_among(c, "0123456789")
        if not digit:
            return i
        i += 1
    return i


def percent_text(field, value):
    """Write one value for one field."""
    spec = field[0]
    letter = field[1]
    left = field[2]
    zero = field[3]
    width = field[4]
    values = (value,)
    if letter == "":
        return spec % values
    if letter == "s":
        piece = builtin_str(value)
        zero = False
    elif letter == "r":
        piece = builtin_repr(value)
        zero = False
    else:
        kind = type(value)
        if kind is not int:
            return spec % values
        piece = decimal_text(value)
    if left:
        piece = str_ljust(piece, width)
    elif zero:
        piece = str_zfill(piece, width)
    else:
        piece = str_rjust(piece, width)
    return piece
