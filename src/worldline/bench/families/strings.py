"""This file is functions from a text to a text, which are read as text."""


def reverse_words(value):
    words = value.split(" ")
    return " ".join(words[::-1])


def reverse_each_word(value):
    return " ".join(word[::-1] for word in value.split(" "))


def reverse_text(value):
    if value == "":
        return value
    return reverse_text(value[1:]) + value[0]


def add_suffix(value):
    return value + "_end"


def add_brackets(value):
    return "[" + value + "]"


def add_length(value):
    return value + str(len(value))


def add_mirror(value):
    start = value[:30]
    return start + start[::-1]


def compress_repeats(value):
    if not value:
        return ""
    rest = value.lstrip(value[0])
    count = len(value) - len(rest)
    return value[0] + (str(count) if count > 1 else "") + compress_repeats(rest)


def alternate_case(value):
    result = ""
    for index, char in enumerate(value):
        if index % 2 == 0:
            result += char.upper()
        else:
            result += char.lower()
    return result


def swap_case(value):
    return value.swapcase()


def capitalize_words(value):
    words = []
    for word in value.split():
        words.append(word.capitalize())
    return " ".join(words)


def upper_vowels(value):
    result = ""
    for char in value:
        result += char.upper() if char in "aeiou" else char.lower()
    return result


def join_with_dashes(value):
    return "-".join(value[:40])


def spaces_to_underscores(value):
    return value.replace(" ", "_")


def rotate_left(value):
    return value[3:] + value[:3]


def rotate_by_third(value):
    shift = len(value) // 3
    return value[-shift:] + value[:-shift]


def swap_halves(value):
    middle = (len(value) + 1) // 2
    return value[middle:] + value[:middle]


def keep_letters(value):
    return "".join(char for char in value if char.isalpha())


def digits_last(value):
    others = [char for char in value if not char.isdigit()]
    digits = [char for char in value if char.isdigit()]
    return "".join(others + digits)


def vowels_to_digits(value):
    for digit, vowel in enumerate("aeiou"):
        value = value.replace(vowel, str(digit))
    return value


def remove_vowels(value):
    result = ""
    for char in value:
        if char.lower() not in "aeiou":
            result += char
    return result


def remove_every_third(value):
    return "".join(char for index, char in enumerate(value) if index % 3 != 2)


def strip_ends(value):
    return value[1:-1]


def unique_characters(value):
    seen = ""
    for char in value:
        if char not in seen:
            seen += char
    return seen


def shift_letters(value):
    result = ""
    for char in value:
        if "a" <= char <= "z":
            char = chr((ord(char) - ord("a") + 3) % 26 + ord("a"))
        result += char
    return result


def double_characters(value):
    result = ""
    for char in value[:40]:
        result += char * 2
    return result


def repeat_by_position(value):
    result = ""
    for index, char in enumerate(value[:60]):
        result += char * (index % 3)
    return result


def interlace_halves(value):
    middle = len(value) // 2
    result = ""
    for index in range(middle):
        result += value[index] + value[middle + index]
    return result + value[2 * middle :]


def even_places_first(value):
    return value[::2] + value[1::2]


def swap_pairs(value):
    chars = list(value)
    for index in range(0, len(chars) - 1, 2):
        chars[index], chars[index + 1] = chars[index + 1], chars[index]
    return "".join(chars)


def alternate_ends(value):
    if len(value) < 2:
        return value
    return value[0] + value[-1] + alternate_ends(value[1:-1])


def sort_characters(value):
    return "".join(sorted(value))


def make_palindrome(value):
    half = value[: (len(value) + 1) // 2]
    return half + half[::-1]


def pick_by_index(value):
    length = len(value)
    return "".join(value[(3 * index + 1) % length] for index in range(length))


def larger_of_neighbors(value):
    result = ""
    for index in range(len(value) - 1):
        result += max(value[index], value[index + 1])
    return result


def longest_word(value):
    longest = ""
    for word in value.split():
        if len(word) > len(longest):
            longest = word
    return longest


def mask_middle(value):
    if len(value) < 5:
        return value + "*"
    return value[:2] + "*" * (len(value) - 4) + value[-2:]


def count_characters(value):
    result = ""
    for char in sorted(set(value[:20])):
        result += char + str(value.count(char))
    return result


def from_last_space(value):
    index = len(value) - 1
    while index > 0 and value[index] != " ":
        index -= 1
    return value[index:] + value[:index]
