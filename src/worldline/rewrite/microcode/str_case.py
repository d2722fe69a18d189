"""This file is how `str` changes between upper and lower case.

The form of one character is added as one thing, although above ASCII it may be two or three characters.
"""


def str_lower(text, /):
    """Make every character lower case."""
    result = ""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        if c == "Σ":  # its lower case depends on what is around it
            return text.lower()
        c = char_lower(c)
        result += c
        i += 1
    return result


def str_upper(text, /):
    """Make every character upper case."""
    result = ""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        c = char_upper(c)
        result += c
        i += 1
    return result


def str_casefold(text, /):
    """Make every character ready for comparing without case."""
    result = ""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        c = char_casefold(c)
        result += c
        i += 1
    return result


def str_swapcase(text, /):
    """Make upper case lower and lower case upper."""
    result = ""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        if c == "Σ":  # its lower case depends on what is around it
            return text.swapcase()
        upper = char_is_upper(c)
        lower = char_is_lower(c)
        if upper:
            c = char_lower(c)
        if lower:
            c = char_upper(c)
        result += c
        i += 1
    return result


def str_capitalize(text, /):
    """Make the first character upper case and the others lower case."""
    result = ""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        if c == "Σ":  # its lower case depends on what is around it
            return text.capitalize()
        if i == 0:
            c = char_title(c)
        else:
            c = char_lower(c)
        result += c
        i += 1
    return result


def str_title(text, /):
    """Make the first letter of every word upper case and the others lower case."""
    result = ""
    inside = False
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        if c == "Σ":  # its lower case depends on what is around it
            return text.title()
        cased = char_is_cased(c)
        if inside:
            c = char_lower(c)
        else:
            c = char_title(c)
        result += c
        inside = cased
        i += 1
    return result
