"""This file is functions from a dict of names and numbers to such a dict, which are read as text."""


def double_values(value):
    return {key: 2 * number for key, number in value.items()}


def halve_even_values(value):
    result = {}
    for key, number in value.items():
        result[key] = number // 2 if number % 2 == 0 else number
    return result


def cap_values(value):
    return {key: min(number, 25) for key, number in value.items()}


def subtract_mean(value):
    if not value:
        return {}
    mean = sum(value.values()) // len(value)
    return {key: number - mean for key, number in value.items()}


def add_key_lengths(value):
    return {key: number + len(key) for key, number in value.items()}


def modulo_key_length(value):
    return {key: number % (len(key) + 2) for key, number in value.items()}


def negate_vowel_keys(value):
    result = dict(value)
    for key in result:
        if key[:1].lower() in "aeiou":
            result[key] = -result[key]
    return result


def running_total(value):
    total = 0
    result = {}
    for key in value:
        total = (total + value[key]) % 1000
        result[key] = total
    return result


def share_fifty(value):
    left = 50
    result = {}
    for key, wanted in value.items():
        result[key] = min(wanted, left)
        left -= result[key]
    return result


def rank_values(value):
    order = sorted(value.values())
    return {key: order.index(number) for key, number in value.items()}


def rotate_values(value):
    numbers = list(value.values())
    return dict(zip(value, numbers[1:] + numbers[:1]))


def swap_outer_values(value):
    result = dict(value)
    keys = list(value)
    if keys:
        result[keys[0]], result[keys[-1]] = value[keys[-1]], value[keys[0]]
    return result


def reverse_values(value):
    result = {}
    numbers = list(value.values())
    for key in value:
        result[key] = numbers.pop()
    return result


def sum_of_letters(value):
    return {key: sum(ord(char) for char in key) % 100 for key in value}


def upper_keys(value):
    return {key.upper(): number for key, number in value.items()}


def reverse_keys(value):
    return {key[::-1]: number for key, number in value.items()}


def shorten_keys(value):
    result = {}
    for key, number in value.items():
        result[key[:2]] = number
    return result


def prefix_keys(value):
    return {"x_" + key: number for key, number in value.items()}


def number_keys(value):
    result = {}
    for place, key in enumerate(value):
        result[key + str(place)] = value[key]
    return result


def last_digit_to_key(value):
    return {key + str(number % 10): number for key, number in value.items()}


def join_neighbor_keys(value):
    keys = list(value)
    result = {}
    for left, right in zip(keys, keys[1:]):
        result[left[:2] + right[:2]] = value[left] + value[right]
    return result


def invert(value):
    return {str(number): len(key) for key, number in value.items()}


def sort_by_key(value):
    return {key: value[key] for key in sorted(value)}


def sort_by_value(value):
    return dict(sorted(value.items(), key=lambda item: item[1]))


def reverse_order(value):
    if len(value) < 2:
        return value
    first, *others = value
    rest = reverse_order({key: value[key] for key in others})
    return {**rest, first: value[first]}


def first_key_last(value):
    result = dict(value)
    for key in list(value)[:1]:
        result[key] = result.pop(key) + 1
    return result


def keep_large_values(value):
    return {key: number for key, number in value.items() if number > 10}


def keep_even_places(value):
    result = {}
    for place, key in enumerate(value):
        if place % 2 == 0:
            result[key] = value[key]
    return result


def drop_smallest(value):
    result = dict(value)
    if result:
        smallest = min(result, key=result.get)
        del result[smallest]
    return result


def drop_small_start(value):
    result = dict(value)
    keys = list(value)
    while keys and result[keys[0]] < 30:
        del result[keys.pop(0)]
    return result


def drop_until_small(value):
    if sum(value.values()) <= 40:
        return value
    result = dict(value)
    result.popitem()
    return drop_until_small(result)


def mark_largest(value):
    result = dict(value)
    if result:
        largest = max(value, key=value.get)
        result[largest + "_max"] = result.pop(largest)
    return result


def add_total(value):
    result = dict(value)
    result["total"] = sum(value.values()) % 1000
    return result


def add_missing(value):
    result = dict(value)
    for key in ["a", "b", "c"]:
        result[key] = result.get(key, 0) + 1
    return result


def with_defaults(value):
    return {"low": 1, **value, "high": 99}


def sum_by_key_length(value):
    result = {}
    for key, number in value.items():
        group = str(len(key))
        result[group] = (result.get(group, 0) + number) % 100
    return result


def count_key_letters(value):
    result = {}
    for key in value:
        for char in key:
            result[char] = result.get(char, 0) + 1
    return result


def largest_by_first_letter(value):
    result = {}
    for key, number in value.items():
        letter = key[:1]
        if letter not in result or number > result[letter]:
            result[letter] = number
    return result
