"""This file is the questions that `str` answers with yes or no, such as `str.isalpha`."""


def str_isalnum(text, /):
    """Tell whether all characters are letters or digits, and there is one."""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        fits = char_is_alnum(c)
        if not fits:
            return False
        i += 1
    return size > 0


def str_isalpha(text, /):
    """Tell whether all characters are letters, and there is one."""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        fits = char_is_alpha(c)
        if not fits:
            return False
        i += 1
    return size > 0


def str_isascii(text, /):
    """Tell whether all characters are ASCII."""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        code = ord(c)
        if code > 127:
            return False
        i += 1
    return True


def str_isdecimal(text, /):
    """Tell whether all characters are decimal digits, and there is one."""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        fits = char_is_decimal(c)
        if not fits:
            return False
        i += 1
    return size > 0


def str_isdigit(text, /):
    """Tell whether all characters are digits, and there is one."""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        fits = char_is_digit(c)
        if not fits:
            return False
        i += 1
    return size > 0


def str_isnumeric(text, /):
    """Tell whether all characters stand for numbers, and there is one."""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        fits = char_is_numeric(c)
        if not fits:
            return False
        i += 1
    return size > 0


def str_isprintable(text, /):
    """Tell whether all characters are shown as they are."""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        fits = char_is_printable(c)
        if not fits:
            return False
        i += 1
    return True


def str_isspace(text, /):
    """Tell whether all characters are white space, and there is one."""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        fits = char_is_space(c)
        if not fits:
            return False
        i += 1
    return size > 0


def str_isidentifier(text, /):
    """Tell whether the text may be a name: letters, digits and underscores, no digit first."""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        code = ord(c)
        if code > 127:
            return text.isidentifier()
        fits = char_is_alnum(c)
        if c == "_":
            fits = True
        if not fits:
            return False
        if i == 0:
            digit = char_is_decimal(c)
            if digit:
                return False
        i += 1
    return size > 0


def str_islower(text, /):
    """Tell whether no letter is upper case, and one is lower case."""
    found = False
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        upper = char_starts_title(c)
        if upper:
            return False
        lower = char_is_lower(c)
        if lower:
            found = True
        i += 1
    return found


def str_isupper(text, /):
    """Tell whether no letter is lower case, and one is upper case."""
    found = False
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        lower = char_is_lower(c)
        if lower:
            return False
        upper = char_is_upper(c)
        if upper:
            found = True
        else:
            title = char_starts_title(c)
            if title:
                return False
        i += 1
    return found


def str_istitle(text, /):
    """Tell whether upper-case letters begin the words and only they do, and there is one."""
    found = False
    inside = False
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        upper = char_starts_title(c)
        if upper:
            if inside:
                return False
            inside = True
            found = True
        else:
            lower = char_is_lower(c)
            if lower:
                if not inside:
                    return False
            inside = lower
        i += 1
    return found
