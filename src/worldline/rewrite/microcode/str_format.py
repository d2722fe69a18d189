"""This file is `str.format` and `str.format_map`: fields by number, by order or by name.

Fields that look into a value (`{0.name}`, `{0[1]}`), and specs with fields in them, are for the real method.
"""


def str_format(text, /, *values):
    """Put values for the fields of a text."""
    parts = format_parts(text)
    if parts is None:
        return text.format(*values)
    count = len(values)
    indices = field_indices(parts, count)
    if indices is None:
        return text.format(*values)
    result = ""
    size = len(parts)
    k = 0
    i = 0
    while i < size:
        part = parts[i]
        kind = type(part)
        if kind is tuple:
            index = indices[k]
            k += 1
            value = values[index]
            part = field_text(part, value)
        i += 1
        before = len(result)
        if i == size:
            if before == 0:
                return part
        result = str_add(result, part)
    return result


def str_format_map(text, mapping, /):
    """Put the values of a dict for the fields of a text, which are its keys."""
    kind = type(mapping)
    if kind is not dict:
        return text.format_map(mapping)
    parts = format_parts(text)
    if parts is None:
        return text.format_map(mapping)
    known = fields_are_keys(parts, mapping)
    if not known:
        return text.format_map(mapping)
    result = ""
    size = len(parts)
    i = 0
    while i < size:
        part = parts[i]
        kind = type(part)
        if kind is tuple:
            name = part[0]
            value = mapping[name]
            part = field_text(part, value)
        i += 1
        before = len(result)
        if i == size:
            if before == 0:
                return part
        result = str_add(result, part)
    return result


def field_text(field, value):
    """Write a value for a field: converted if the field says so, then by its spec."""
    conversion = field[1]
    spec = field[2]
    if conversion == "r":
        value = builtin_repr(value)
    if conversion == "s":
        value = builtin_str(value)
    piece = format_value(value, spec)
    return piece


def format_parts(text):
    """Cut a text into plain texts and fields (name, conversion, spec, end); None if one is not simple."""
    parts = []
    plain = ""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        i += 1
        if c == "{":
            if i == size:
                return None
            c = text[i]
            if c == "{":
                plain += c
                i += 1
            else:
                parts.append(plain)
                plain = ""
                field = format_field(text, i)
                if field is None:
                    return None
                parts.append(field)
                i = field[3]
        elif c == "}":
            if i == size:
                return None
            c = text[i]
            if c != "}":
                return None
            plain += c
            i += 1
        else:
            plain += c
    rest = len(plain)
    if rest > 0:
        parts.append(plain)
    return parts


def format_field(text, i):
    """Read a field from behind its `{`: its name, conversion, spec, and where it ends."""
    size = len(text)
    name = ""
    conversion = ""
    spec = ""
    in_spec = False
    while i < size:
        c = text[i]
        i += 1
        if c == "}":
            return (name, conversion, spec, i)
        if c == "{":
            return None
        if in_spec:
            spec += c
        elif c == ":":
            in_spec = True
        elif c == "[":
            return None
        elif c == ".":
            return None
        elif c == "!":
            if i == size:
                return None
            conversion = text[i]
            i += 1
            known = is_among(conversion, "rs")
            if not known:
                return None
            if i == size:
                return None
            c = text[i]
            known = is_among(c, ":}")
            if not known:
                return None
        else:
            name += c
    return None


def field_indices(parts, count):
    """Give the number of the value for each field; None unless all are there, by order or all by number."""
    indices = []
    ordered = 0
    numbered = 0
    size = len(parts)
    i = 0
    while i < size:
        part = parts[i]
        kind = type(part)
        if kind is tuple:
            name = part[0]
            width = len(name)
            if width == 0:
                index = ordered
                ordered += 1
            else:
                index = number_in(name, 0, width)
                numbered += 1
            if index < 0:
                return None
            if index >= count:
                return None
            indices.append(index)
        i += 1
    if ordered > 0:
        if numbered > 0:
            return None
    return indices


def fields_are_keys(parts, table):
    """Tell whether every field is named by a key of a dict, none by a number."""
    size = len(parts)
    i = 0
    while i < size:
        part = parts[i]
        kind = type(part)
        if kind is tuple:
            name = part[0]
            width = len(name)
            if width == 0:
                return False
            c = name[0]
            digit = char_is_decimal(c)
            if digit:
                return False
            if name not in table:
                return False
        i += 1
    return True


def number_in(text, start, end):
    """Read an ASCII number of at most nine digits between two positions; -1 if there is none."""
    width = end - start
    if width == 0:
        return -1
    if width > 9:
        return -1
    number = 0
    while start < end:
        c = text[start]
        digit = is_among(c, "0123456789")
        if not digit:
            return -1
        code = ord(c)
        code = code - 48
        number = number * 10
        number = number + code
        start += 1
    return number
