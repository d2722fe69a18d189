"""This file is what one character is: a letter, a digit, a space; above ASCII the real method is asked."""


def char_is_space(c):
    """Tell whether a character is white space."""
    if c == " ":
        return True
    code = ord(c)
    if code > 127:
        return c.isspace()
    if code < 9:
        return False
    if code < 14:
        return True
    if code < 28:
        return False
    return code < 32


def char_is_upper(c):
    """Tell whether a character is an upper-case letter."""
    code = ord(c)
    if code > 127:
        return c.isupper()
    if code < 65:
        return False
    return code < 91


def char_is_lower(c):
    """Tell whether a character is a lower-case letter."""
    code = ord(c)
    if code > 127:
        return c.islower()
    if code < 97:
        return False
    return code < 123


def char_starts_title(c):
    """Tell whether a character is upper case or title case (such as the digraph Dz)."""
    code = ord(c)
    if code > 127:
        return c.istitle()
    if code < 65:
        return False
    return code < 91


def char_is_cased(c):
    """Tell whether a character is a letter that has a case."""
    lower = char_is_lower(c)
    if lower:
        return True
    upper = char_starts_title(c)
    return upper


def char_is_alpha(c):
    """Tell whether a character is a letter."""
    code = ord(c)
    if code > 127:
        return c.isalpha()
    cased = char_is_cased(c)
    return cased


def char_is_alnum(c):
    """Tell whether a character is a letter or a digit."""
    code = ord(c)
    if code > 127:
        return c.isalnum()
    alpha = char_is_alpha(c)
    if alpha:
        return True
    digit = char_is_decimal(c)
    return digit


def char_is_decimal(c):
    """Tell whether a character is a digit of a decimal number."""
    code = ord(c)
    if code > 127:
        return c.isdecimal()
    if code < 48:
        return False
    return code < 58


def char_is_digit(c):
    """Tell whether a character is a digit, also a raised one."""
    code = ord(c)
    if code > 127:
        return c.isdigit()
    digit = char_is_decimal(c)
    return digit


def char_is_numeric(c):
    """Tell whether a character stands for a number, also a fraction."""
    code = ord(c)
    if code > 127:
        return c.isnumeric()
    digit = char_is_decimal(c)
    return digit


def char_is_printable(c):
    """Tell whether a character is shown as it is."""
    code = ord(c)
    if code > 127:
        return c.isprintable()
    if code < 32:
        return False
    return code < 127


def char_lower(c):
    """Give the lower-case form of a character."""
    code = ord(c)
    if code > 127:
        return c.lower()
    if code < 65:
        return c
    if code > 90:
        return c
    code = code + 32
    lowered = chr(code)
    return lowered


def char_upper(c):
    """Give the upper-case form of a character."""
    code = ord(c)
    if code > 127:
        return c.upper()
    if code < 97:
        return c
    if code > 122:
        return c
    code = code - 32
    raised = chr(code)
    return raised


def char_title(c):
    """Give the form of a character that begins a word."""
    code = ord(c)
    if code > 127:
        return c.title()
    raised = char_upper(c)
    return raised


def char_casefold(c):
    """Give the form of a character for comparing without case."""
    code = ord(c)
    if code > 127:
        return c.casefold()
    lowered = char_lower(c)
    return lowered
