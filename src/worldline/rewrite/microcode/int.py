"""This file is the methods of `int`, its digits, and text that becomes an int, one digit at a time."""


def int_bit_length(number, /):
    """Count how often a number can be halved before nothing is left."""
    if number < 0:
        number = -number
    count = 0
    while number > 0:
        number = number // 2
        count += 1
    return count


def int_bit_count(number, /):
    """Count the ones in the binary digits of a number, whatever its sign."""
    if number < 0:
        number = -number
    count = 0
    while number > 0:
        bit = number % 2
        count += bit
        number = number // 2
    return count


def int_conjugate(number, /):
    """Give the number itself."""
    return number


def int_as_integer_ratio(number, /):
    """Give the number as a fraction: itself over 1."""
    return (number, 1)


def int_repr(number):
    """Write a number in decimal digits: `repr(number)`."""
    text = decimal_text(number)
    return text


def text_in_base(number, base, text):
    """Write a number of at least 0 in digits of a base, behind a text."""
    letters = "0123456789abcdef"
    digits = []
    while number > 0:
        digit = number % base
        c = letters[digit]
        digits.append(c)
        number = number // base
    i = len(digits)
    if i == 0:
        text += "0"
    while i > 0:
        i -= 1
        c = digits[i]
        text += c
    return text


def int_pow(base, exponent, modulo=None):
    """Multiply a number with itself, `exponent` times: `base ** exponent`."""
    fits = is_small_power(base, exponent, modulo)
    if not fits:
        return pow(base, exponent, modulo)
    result = 1
    if modulo is not None:
        result = result % modulo
    while exponent > 0:
        result = result * base
        if modulo is not None:
            result = result % modulo
        exponent -= 1
    return result


def is_small_power(base, exponent, modulo):
    """Tell whether a power is one of ints that can be watched: at most 64 multiplications."""
    kind = type(base)
    if kind is not int:
        return False
    kind = type(exponent)
    if kind is not int:
        return False
    if exponent < 0:
        return False
    if exponent > 64:
        return False
    if modulo is None:
        return True
    kind = type(modulo)
    if kind is not int:
        return False
    return modulo != 0


def builtin_int(value=0, /, base=...):
    """Turn a text of digits into a number: `int(text)`, `int(text, base)`."""
    if base is not ...:
        result = number_in_base(value, base)
        return result
    kind = type(value)
    if kind is int:
        return value
    if kind is not str:
        return int(value)
    number = number_of_text(value, 10)
    if number is None:
        return int(value)
    return number


def number_in_base(value, base):
    """Turn a text of digits of a base into a number: `int(text, base)`."""
    kind = type(value)
    if kind is not str:
        return int(value, base)
    kind = type(base)
    if kind is not int:
        return int(value, base)
    number = number_of_text(value, base)
    if number is None:
        return int(value, base)
    return number


def has_separators(text):
    """Whether a text has one of the four separators that are space for texts, but not for numbers."""
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        code = ord(c)
        if code >= 28:
            if code <= 31:
                return True
        i += 1
    return False


def number_of_text(text, base):
    """Read plain digits with or without a sign and space around.

    None for all other texts (underscores, prefixes, digits of other scripts, no number at all): Python's.
    """
    if base < 2:
        return None
    if base > 36:
        return None
    whole = len(text)
    spaced = text
    text = str_strip(text)
    size = len(text)
    if size < whole:
        odd = has_separators(spaced)
        if odd:
            return None
    if size > 600:  # there is a limit to the digits that Python reads
        return None
    i = 0
    negative = False
    if size > 0:
        c = text[0]
        if c == "-":
            negative = True
            i = 1
        elif c == "+":
            i = 1
    if i == size:
        return None
    number = 0
    while i < size:
        c = text[i]
        digit = digit_value(c)
        if digit >= base:
            return None
        number = number * base
        number += digit
        i += 1
    if negative:
        number = -number
    return number


def digit_value(c):
    """Give the value of a digit or letter; 36 for any other character."""
    code = ord(c)
    if code < 48:
        return 36
    if code < 58:
        return code - 48
    if code < 65:
        return 36
    if code < 91:
        return code - 55
    if code < 97:
        return 36
    if code < 123:
        return code - 87
    return 36
