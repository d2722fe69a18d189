"""This file is how values are written into a text: `format`, with fill and width for texts and ints."""


def decimal_text(number):
    """Write an int in decimal digits."""
    rest = number
    if number < 0:
        rest = 0 - number
    digits = []
    while True:
        digit = rest % 10
        code = digit + 48
        c = chr(code)
        digits.append(c)
        rest = rest // 10
        if rest == 0:
            break
        count = len(digits)
        if count == 600:  # longer than this may be forbidden
            return str(number)
    if number < 0:
        digits.append("-")
    result = ""
    i = len(digits)
    while i > 0:
        i -= 1
        c = digits[i]
        result += c
    return result


def format_value(value, spec):
    """Write a value the way a spec asks for: `format(value, spec)`."""
    kind = type(spec)
    if kind is not str:
        return format(value, spec)
    size = len(spec)
    if size == 0:
        known = is_written(value)
        if known:
            text = builtin_str(value)
            return text
    kind = type(value)
    if kind is int:
        fields = read_spec(spec, ">", "d")
    elif kind is str:
        fields = read_spec(spec, "<", "s")
    else:
        fields = None
    if fields is None:
        return format(value, spec)
    align = fields[1]
    if kind is int:
        piece = decimal_text(value)
    else:
        piece = value
        if align == "=":
            return format(value, spec)
    result = aligned(piece, fields)
    return result


def aligned(piece, fields):
    """Fill a text up to a width: `fields` is fill, alignment and width."""
    fill = fields[0]
    align = fields[1]
    width = fields[2]
    size = len(piece)
    missing = width - size
    if missing <= 0:
        return piece
    if align == "<":
        result = padded(piece, 0, missing, fill)
    elif align == ">":
        result = padded(piece, missing, 0, fill)
    elif align == "^":
        left = missing // 2
        right = missing - left
        result = padded(piece, left, right, fill)
    else:
        result = filled_behind_sign(piece, missing, fill)
    return result


def filled_behind_sign(piece, missing, fill):
    """Put fill characters between the minus of a number and its digits."""
    result = ""
    i = 0
    c = piece[0]
    if c == "-":
        result += c
        i = 1
    while missing > 0:
        result += fill
        missing -= 1
    size = len(piece)
    while i < size:
        c = piece[i]
        result += c
        i += 1
    return result


def read_spec(spec, align, letter):
    """Read `[[fill]align][0][width][letter]` into (fill, align, width); None if a spec has more."""
    fill = " "
    usual = align
    chosen = False
    size = len(spec)
    i = 0
    if size > 0:
        c = spec[0]
        chosen = is_among(c, "<>^=")
        if chosen:
            align = c
            i = 1
    given = False
    if size > 1:
        c = spec[1]
        given = is_among(c, "<>^=")
        if given:
            align = c
            fill = spec[0]
            chosen = True
            i = 2
    if i < size:
        c = spec[i]
        if c == "0":
            if not given:
                fill = "0"
                if not chosen:
                    if usual == ">":
                        align = "="
    end = i
    while end < size:
        c = spec[end]
        digit = is_among(c, "0123456789")
        if not digit:
            break
        end += 1
    width = 0
    if end > i:
        width = number_in(spec, i, end)
        if width < 0:
            return None
        if width > 1000000:
            return None
    if end < size:
        c = spec[end]
        if c != letter:
            return None
        end += 1
    if end < size:
        return None
    return (fill, align, width)
