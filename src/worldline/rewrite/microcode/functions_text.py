"""This file is the built-in functions that write values as text."""


def builtin_bin(number, /):
    """Write a number in binary digits."""
    kind = type(number)
    if kind is not int:
        return bin(number)
    text = prefixed(number, 2, "0b")
    return text


def builtin_oct(number, /):
    """Write a number in octal digits."""
    kind = type(number)
    if kind is not int:
        return oct(number)
    text = prefixed(number, 8, "0o")
    return text


def builtin_hex(number, /):
    """Write a number in hexadecimal digits."""
    kind = type(number)
    if kind is not int:
        return hex(number)
    text = prefixed(number, 16, "0x")
    return text


def prefixed(number, base, prefix):
    """Write the digits of a number behind the prefix of their base, and the sign before all."""
    if number < 0:
        number = -number
        prefix = str_add("-", prefix)
    text = text_in_base(number, base, prefix)
    return text


def builtin_str(value="", /):
    """Write a value as text for people."""
    kind = type(value)
    if kind is str:
        return value
    known = is_written(value)
    if not known:
        return str(value)
    outer = []
    text = repr_within(value, outer)
    return text


def builtin_repr(value, /):
    """Write a value as Python source."""
    outer = []
    text = repr_within(value, outer)
    return text


def is_written(value):
    """Tell whether `str` writes a value as `repr` does, and microcode knows how."""
    if value is None:
        return True
    kind = type(value)
    kinds = {int, bool}
    if kind in kinds:
        return True
    kinds = {list, tuple, dict, set}
    return kind in kinds


def repr_within(value, outer):
    """Write a value as Python source; `outer` are the containers around it."""
    kind = type(value)
    if kind is int:
        text = int_repr(value)
        return text
    if kind is str:
        text = str_repr(value)
        return text
    if kind is bool:
        if value:
            return "True"
        return "False"
    if value is None:
        return "None"
    kinds = {list, tuple, dict, set}
    if kind not in kinds:
        return repr(value)
    for container in outer:
        if container is value:
            text = repr_again(kind)
            return text
    outer.append(value)
    if kind is dict:
        text = repr_pairs(value, outer)
    else:
        text = repr_items(value, kind, outer)
    outer.pop()
    return text


def repr_again(kind):
    """Write a container that is inside itself."""
    if kind is list:
        return "[...]"
    if kind is tuple:
        return "(...)"
    if kind is dict:
        return "{...}"
    return "set(...)"


def repr_items(items, kind, outer):
    """Write the items of a list, a tuple or a set with commas between, and brackets around."""
    size = len(items)
    if kind is list:
        text = "["
        close = "]"
    elif kind is tuple:
        text = "("
        close = ")"
        if size == 1:
            close = ",)"
    else:
        if size == 0:
            return "set()"
        text = "{"
        close = "}"
        items = builtin_list(items)
    first = True
    for item in items:
        if not first:
            text = str_add(text, ", ")
        first = False
        shown = repr_within(item, outer)
        text = str_add(text, shown)
    text = str_add(text, close)
    return text


def repr_pairs(table, outer):
    """Write the keys and values of a dict with commas between, and braces around."""
    text = "{"
    first = True
    for key in table:
        if not first:
            text = str_add(text, ", ")
        first = False
        shown = repr_within(key, outer)
        text = str_add(text, shown)
        text = str_add(text, ": ")
        value = table[key]
        shown = repr_within(value, outer)
        text = str_add(text, shown)
    text += "}"
    return text
