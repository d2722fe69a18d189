"""This file is how `str` deals in the numbers of characters: translation tables and bytes."""


def str_encode(text, /, encoding="utf-8", errors="strict"):
    """Give the bytes of a text; here those of an ASCII text, one a character."""
    kind = type(encoding)
    if kind is not str:
        return text.encode(encoding, errors)
    kind = type(errors)
    if kind is not str:
        return text.encode(encoding, errors)
    known = is_ascii_encoding(encoding)
    if not known:
        return text.encode(encoding, errors)
    known = str_eq(errors, "strict")
    if not known:
        return text.encode(encoding, errors)
    codes = []
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        code = ord(c)
        if code > 127:
            return text.encode(encoding, errors)
        codes.append(code)
        i += 1
    return bytes(codes)


def is_ascii_encoding(encoding):
    """Tell whether an encoding is one that writes ASCII as it is."""
    same = str_eq(encoding, "utf-8")
    if same:
        return True
    same = str_eq(encoding, "utf8")
    if same:
        return True
    same = str_eq(encoding, "ascii")
    return same


def str_maketrans(x, /, *others):
    """Make a table for `str.translate` of a dict, or of two texts and one of what to leave out."""
    count = len(others)
    if count == 0:
        table = codes_of_keys(x)
    elif count == 1:
        y = others[0]
        table = codes_of_pairs(x, y, "")
    elif count == 2:
        y = others[0]
        z = others[1]
        table = codes_of_pairs(x, y, z)
    else:
        table = None
    if table is None:
        return str.maketrans(x, *others)
    return table


def codes_of_keys(given):
    """Copy a dict with the codes of characters as its keys; None where it has other keys."""
    kind = type(given)
    if kind is not dict:
        return None
    table = {}
    for key in given:
        value = given[key]
        kind = type(key)
        if kind is str:
            size = len(key)
            if size != 1:
                raise ValueError("string keys in translate table must be of length 1")
            key = ord(key)
        elif kind is not int:
            return None
        table[key] = value
    return table


def codes_of_pairs(x, y, z):
    """Map the characters of `x` to those of `y` and those of `z` to None; None if that cannot be done."""
    kind = type(x)
    if kind is not str:
        return None
    kind = type(y)
    if kind is not str:
        return None
    kind = type(z)
    if kind is not str:
        return None
    table = {}
    size = len(x)
    other_size = len(y)
    if size != other_size:
        raise ValueError("the first two maketrans arguments must have equal length")
    i = 0
    while i < size:
        c = x[i]
        key = ord(c)
        c = y[i]
        value = ord(c)
        table[key] = value
        i += 1
    size = len(z)
    i = 0
    while i < size:
        c = z[i]
        key = ord(c)
        table[key] = None
        i += 1
    return table


def str_translate(text, table, /):
    """Put for each character what the table has under its code; None leaves it out."""
    kind = type(table)
    if kind is not dict:
        return text.translate(table)
    result = ""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        code = ord(c)
        if code in table:
            value = table[code]
            kind = type(value)
            if value is None:
                c = ""
            elif kind is str:
                c = value
            elif kind is not int:
                return text.translate(table)
            else:
                if value < 0:
                    raise ValueError("character mapping must be in range(0x110000)")
                if value > 1114111:
                    raise ValueError("character mapping must be in range(0x110000)")
                c = chr(value)
        result = str_add(result, c)
        i += 1
    return result
