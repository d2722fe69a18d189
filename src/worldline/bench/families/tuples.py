"""This file is functions from a tuple of numbers to such a tuple, which are read as text."""


def reverse_items(value):
    result = ()
    for item in value:
        result = (item,) + result
    return result


def swap_first_and_last(value):
    if len(value) < 2:
        return value
    first, *middle, last = value
    return (last, *middle, first)


def strip_ends(value):
    return value[1:-1]


def drop_middle(value):
    middle = len(value) // 2
    return value[:middle] + value[middle + 1 :]


def swap_halves(value):
    middle = (len(value) + 1) // 2
    return value[middle:] + value[:middle]


def odd_places_first(value):
    return value[1::2] + value[::2]


def split_by_parity(value):
    if len(value) < 3:
        return value[::-1]
    return split_by_parity(value[::2]) + split_by_parity(value[1::2])


def rotate_by_first(value):
    if not value:
        return value
    shift = value[0] % len(value)
    return value[shift:] + value[:shift]


def repeat_start(value):
    return value + value[:3]


def append_length(value):
    return value + (len(value),)


def prepend_largest(value):
    largest = 0
    for item in value:
        if item > largest:
            largest = item
    return (largest,) + value


def weave_with_reverse(value):
    result = ()
    for pair in zip(value[:20], value[::-1]):
        result += pair
    return result


def fill_between(value):
    result = ()
    for left, right in zip(value[:30], value[1:]):
        result += (left, (left + right) // 2)
    return result + value[-1:]


def sort_by_last_digit(value):
    return tuple(sorted(value, key=lambda item: item % 10))


def sorted_places(value):
    return tuple(sorted(range(len(value)), key=lambda index: value[index]))


def unique_sorted(value):
    return tuple(sorted(set(value)))


def insertion_sort(value):
    result = ()
    for item in value:
        place = 0
        while place < len(result) and result[place] > item:
            place += 1
        result = result[:place] + (item,) + result[place:]
    return result


def keep_even_items(value):
    return tuple(item for item in value if item % 2 == 0)


def remove_largest(value):
    if not value:
        return value
    place = value.index(max(value))
    return value[:place] + value[place + 1 :]


def keep_rising(value):
    result = ()
    for item in value:
        if not result or item > result[-1]:
            result += (item,)
    return result


def until_falling(value):
    end = 1
    while end < len(value) and value[end] >= value[end - 1]:
        end += 1
    return value[:end]


def modulo_seven(value):
    return tuple(item % 7 for item in value)


def halve_each(value):
    return tuple(item // 2 for item in value)


def clip_items(value):
    return tuple(max(0, min(item, 30)) for item in value)


def below_largest(value):
    return tuple(max(value) - item for item in value)


def distance_from_mean(value):
    if not value:
        return ()
    mean = sum(value) // len(value)
    return tuple(abs(item - mean) for item in value)


def negate_alternate(value):
    result = ()
    sign = -1
    for item in value:
        result += (sign * item,)
        sign = -sign
    return result


def add_previous(value):
    return tuple(value[index] + value[index - 1] for index in range(len(value)))


def sum_pairs(value):
    result = ()
    index = 0
    while index < len(value):
        result += (sum(value[index : index + 2]),)
        index += 2
    return result


def multiply_neighbors(value):
    return tuple(left * right % 100 for left, right in zip(value, value[1:]))


def xor_neighbors(value):
    return tuple(left ^ right for left, right in zip(value, value[1:]))


def running_product(value):
    result = ()
    product = 1
    for item in value:
        product = product * item % 97
        result += (product,)
    return result


def totals_from_end(value):
    if not value:
        return ()
    rest = totals_from_end(value[1:])
    total = value[0] + sum(rest[:1])
    return (total % 1000,) + rest


def count_each(value):
    return tuple(value.count(item) for item in value)


def digits_of_items(value):
    result = []
    for item in value[:20]:
        for digit in str(abs(item))[-3:]:
            result.append(int(digit))
    return tuple(result)
