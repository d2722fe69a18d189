"""This file is how `str` is made wider: with fill characters, zeros, or spaces for tabs."""


def fill_is_plain(width, fill):
    """Tell whether a width is an int that can be watched, and the fill is one character."""
    kind = type(width)
    if kind is not int:
        return False
    if width > 1000000:
        return False
    if width < -1000000:
        return False
    kind = type(fill)
    if kind is not str:
        return False
    size = len(fill)
    return size == 1


def padded(text, left, right, fill):
    """Put `left` fill characters before a text and `right` behind it."""
    result = ""
    while left > 0:
        result += fill
        left -= 1
    result = str_add(result, text)
    while right > 0:
        result += fill
        right -= 1
    return result


def str_ljust(text, width, fillchar=" ", /):
    """Fill a text on the right until it is `width` wide."""
    plain = fill_is_plain(width, fillchar)
    if not plain:
        return text.ljust(width, fillchar)
    size = len(text)
    missing = width - size
    result = padded(text, 0, missing, fillchar)
    return result


def str_rjust(text, width, fillchar=" ", /):
    """Fill a text on the left until it is `width` wide."""
    plain = fill_is_plain(width, fillchar)
    if not plain:
        return text.rjust(width, fillchar)
    size = len(text)
    missing = width - size
    result = padded(text, missing, 0, fillchar)
    return result


def str_center(text, width, fillchar=" ", /):
    """Fill a text on both sides until it is `width` wide; an odd one goes left if `width` is odd."""
    plain = fill_is_plain(width, fillchar)
    if not plain:
        return text.center(width, fillchar)
    size = len(text)
    missing = width - size
    if missing <= 0:
        return text
    left = missing // 2
    odd = missing % 2
    if odd == 1:
        odd = width % 2
        left += odd
    right = missing - left
    result = padded(text, left, right, fillchar)
    return result


def str_zfill(text, width, /):
    """Put zeros between the sign of a number and its digits until it is `width` wide."""
    plain = fill_is_plain(width, "0")
    if not plain:
        return text.zfill(width)
    size = len(text)
    missing = width - size
    if missing <= 0:
        return text
    result = ""
    i = 0
    if size > 0:
        c = text[0]
        if c == "+":
            i = 1
        if c == "-":
            i = 1
        if i == 1:
            result += c
    while missing > 0:
        result += "0"
        missing -= 1
    while i < size:
        c = text[i]
        result += c
        i += 1
    return result


def str_expandtabs(text, /, tabsize=8):
    """Put spaces for every tab, up to the next column that `tabsize` divides."""
    plain = fill_is_plain(tabsize, " ")
    if not plain:
        return text.expandtabs(tabsize)
    result = ""
    column = 0
    found = False
    size = len(text)
    i = 0
    while i < size:
        c = text[i]
        if c == "\t":
            found = True
            if tabsize > 0:
                past = column % tabsize
                missing = tabsize - past
                column += missing
                while missing > 0:
                    result += " "
                    missing -= 1
        else:
            result += c
            column += 1
            if c == "\n":
                column = 0
            if c == "\r":
                column = 0
        i += 1
    if not found:
        return text
    return result
