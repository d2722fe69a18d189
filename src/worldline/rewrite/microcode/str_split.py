"""This file is how `str` is cut into words, fields and lines, and how its ends are stripped."""


def next_word(text, i):
    """Give the position of the first character that is not white space, from `i` on."""
    size = len(text)
    while i < size:
        c = text[i]
        space = char_is_space(c)
        if not space:
            return i
        i += 1
    return i


def word_end(text, i):
    """Give the position of the first white space, from `i` on."""
    size = len(text)
    while i < size:
        c = text[i]
        space = char_is_space(c)
        if space:
            return i
        i += 1
    return i


def last_word_end(text, end):
    """Give the position behind the last character before `end` that is not white space."""
    while end > 0:
        i = end - 1
        c = text[i]
        space = char_is_space(c)
        if not space:
            return end
        end = i
    return end


def last_word(text, end):
    """Give the position behind the last white space before `end`."""
    while end > 0:
        i = end - 1
        c = text[i]
        space = char_is_space(c)
        if space:
            return end
        end = i
    return end


def split_words(text, most):
    """Cut a text at white space, at most `most` times if that is not negative."""
    words = []
    size = len(text)
    i = next_word(text, 0)
    while i < size:
        if most == 0:
            word = text_between(text, i, size)
            words.append(word)
            return words
        end = word_end(text, i)
        word = text_between(text, i, end)
        words.append(word)
        i = next_word(text, end)
        most -= 1
    return words


def split_words_backward(text, most):
    """Cut a text at white space, beginning at its end; the words come out last first."""
    words = []
    size = len(text)
    end = last_word_end(text, size)
    while end > 0:
        if most == 0:
            word = text_between(text, 0, end)
            words.append(word)
            return words
        i = last_word(text, end)
        word = text_between(text, i, end)
        words.append(word)
        end = last_word_end(text, i)
        most -= 1
    return words


def backwards(items):
    """Put items into a new list, last first."""
    turned = []
    i = len(items)
    while i > 0:
        i -= 1
        item = items[i]
        turned.append(item)
    return turned


def str_split(text, /, sep=None, maxsplit=-1):
    """Cut a text at every `sep`, or at white space."""
    fits = is_size(maxsplit)
    if not fits:
        return text.split(sep, maxsplit)
    if sep is None:
        words = split_words(text, maxsplit)
        return words
    kind = type(sep)
    if kind is not str:
        return text.split(sep, maxsplit)
    width = len(sep)
    if width == 0:
        raise ValueError("empty separator")
    fields = []
    size = len(text)
    start = 0
    while maxsplit != 0:
        end = find_forward(text, sep, start, size)
        if end < 0:
            break
        field = text_between(text, start, end)
        fields.append(field)
        start = end + width
        maxsplit -= 1
    field = text_between(text, start, size)
    fields.append(field)
    return fields


def str_rsplit(text, /, sep=None, maxsplit=-1):
    """Cut a text at every `sep`, or at white space, beginning at its end."""
    fits = is_size(maxsplit)
    if not fits:
        return text.rsplit(sep, maxsplit)
    if sep is None:
        words = split_words_backward(text, maxsplit)
        words = backwards(words)
        return words
    kind = type(sep)
    if kind is not str:
        return text.rsplit(sep, maxsplit)
    width = len(sep)
    if width == 0:
        raise ValueError("empty separator")
    fields = []
    end = len(text)
    while maxsplit != 0:
        i = find_backward(text, sep, 0, end)
        if i < 0:
            break
        start = i + width
        field = text_between(text, start, end)
        fields.append(field)
        end = i
        maxsplit -= 1
    field = text_between(text, 0, end)
    fields.append(field)
    fields = backwards(fields)
    return fields


def is_line_end(c):
    """Tell whether a character ends a line."""
    if c == "\n":
        return True
    code = ord(c)
    if code < 10:
        return False
    if code < 14:  # newline, two tabs of paper, carriage return
        return True
    if code < 28:
        return False
    if code < 31:  # separators of files, groups and records
        return True
    if code == 133:
        return True
    if code == 8232:
        return True
    return code == 8233


def str_splitlines(text, /, keepends=False):
    """Cut a text into its lines; a line end at the very end begins no new line."""
    kind = type(keepends)
    if kind is not bool:
        return text.splitlines(keepends)
    lines = []
    size = len(text)
    start = 0
    i = 0
    while i < size:
        c = text[i]
        i += 1
        ends = is_line_end(c)
        if ends:
            end = i - 1
            if c == "\r":
                if i < size:
                    c = text[i]
                    if c == "\n":
                        i += 1
            if keepends:
                end = i
            line = text_between(text, start, end)
            lines.append(line)
            start = i
    if start < size:
        line = text_between(text, start, size)
        lines.append(line)
    return lines


def is_among(c, chars):
    """Tell whether a character is one of several."""
    size = len(chars)
    k = 0
    while k < size:
        d = chars[k]
        if c == d:
            return True
        k += 1
    return False


def strip_start(text, chars):
    """Give the position of the first character that is not to be stripped."""
    size = len(text)
    if chars is None:
        i = next_word(text, 0)
        return i
    i = 0
    while i < size:
        c = text[i]
        goes = is_among(c, chars)
        if not goes:
            return i
        i += 1
    return i


def strip_end(text, start, chars):
    """Give the position behind the last character that is not to be stripped, `start` if there is none."""
    end = len(text)
    while end > start:
        i = end - 1
        c = text[i]
        if chars is None:
            goes = char_is_space(c)
        else:
            goes = is_among(c, chars)
        if not goes:
            return end
        end = i
    return end


def strips_plainly(chars):
    """Tell whether `chars` is None, for white space, or a text."""
    if chars is None:
        return True
    kind = type(chars)
    return kind is str


def str_strip(text, chars=None, /):
    """Take white space, or the given characters, away from both ends."""
    plain = strips_plainly(chars)
    if not plain:
        return text.strip(chars)
    start = strip_start(text, chars)
    end = strip_end(text, start, chars)
    result = text_between(text, start, end)
    return result


def str_lstrip(text, chars=None, /):
    """Take white space, or the given characters, away from the beginning."""
    plain = strips_plainly(chars)
    if not plain:
        return text.lstrip(chars)
    start = strip_start(text, chars)
    end = len(text)
    result = text_between(text, start, end)
    return result


def str_rstrip(text, chars=None, /):
    """Take white space, or the given characters, away from the end."""
    plain = strips_plainly(chars)
    if not plain:
        return text.rstrip(chars)
    end = strip_end(text, 0, chars)
    result = text_between(text, 0, end)
    return result
