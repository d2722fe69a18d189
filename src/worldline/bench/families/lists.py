"""This file is functions from a list of numbers to such a list, which are read as text."""


def sort_descending(value):
    return sorted(value, reverse=True)


def quick_sort(value):
    if len(value) < 2:
        return value
    smaller = [item for item in value[1:] if item < value[0]]
    larger = [item for item in value[1:] if item >= value[0]]
    return quick_sort(smaller) + [value[0]] + quick_sort(larger)


def bubble_once(value):
    items = list(value)
    for index in range(len(items) - 1):
        if items[index] > items[index + 1]:
            items[index], items[index + 1] = items[index + 1], items[index]
    return items


def split_around_first(value):
    smaller, larger = [], []
    for item in value[1:]:
        if item < value[0]:
            smaller.append(item)
        else:
            larger.append(item)
    return smaller + value[:1] + larger


def running_total(value):
    result = []
    total = 0
    for item in value:
        total = (total + item) % 100
        result.append(total)
    return result


def running_maximum(value):
    result = []
    for item in value:
        if result and result[-1] > item:
            item = result[-1]
        result.append(item)
    return result


def differences(value):
    return [after - before for before, after in zip(value, value[1:])]


def larger_of_neighbors(value):
    return [max(value[index], value[index + 1]) for index in range(len(value) - 1)]


def window_sums(value):
    return [sum(value[index : index + 3]) for index in range(len(value) - 2)]


def fold_onto_reverse(value):
    result = []
    for first, second in zip(value, reversed(value)):
        result.append(first + second)
    return result


def rotate_right(value):
    return value[-1:] + value[:-1]


def reverse_first_half(value):
    middle = (len(value) + 1) // 2
    return value[:middle][::-1] + value[middle:]


def interleave_halves(value):
    middle = len(value) // 2
    result = []
    for index in range(middle):
        result.append(value[index])
        result.append(value[middle + index])
    return result + value[2 * middle :]


def swap_pairs(value):
    result = []
    for index in range(0, len(value), 2):
        result += value[index : index + 2][::-1]
    return result


def alternate_ends(value):
    if len(value) < 2:
        return value
    return [value[0], value[-1]] + alternate_ends(value[1:-1])


def take_from_ends(value):
    items = list(value)
    result = []
    while items:
        result.append(items.pop())
        if items:
            result.append(items.pop(0))
    return result


def pick_by_index(value):
    length = len(value)
    return [value[(3 * index + 1) % length] for index in range(length)]


def evens_first(value):
    evens = [item for item in value if item % 2 == 0]
    odds = [item for item in value if item % 2 == 1]
    return evens + odds


def keep_above_mean(value):
    if not value:
        return []
    mean = sum(value) / len(value)
    return [item for item in value if item > mean]


def unique_items(value):
    result = []
    for item in value:
        if item not in result:
            result.append(item)
    return result


def remove_smallest(value):
    items = list(value)
    if items:
        items.remove(min(items))
    return items


def drop_every_third(value):
    return [item for index, item in enumerate(value) if index % 3 != 2]


def append_sum(value):
    return value + [sum(value) % 100]


def repeat_each(value):
    result = []
    for item in value[:40]:
        result.extend([item, item])
    return result


def insert_length(value):
    result = list(value)
    result.insert(len(result) // 2, len(result))
    return result


def square_each(value):
    return [item * item % 101 for item in value]


def negate_odds(value):
    result = []
    for item in value:
        if item % 2 == 1:
            item = -item
        result.append(item)
    return result


def add_positions(value):
    return [item + index for index, item in enumerate(value)]


def double_odd_places(value):
    result = list(value)
    for index in range(1, len(result), 2):
        result[index] *= 2
    return result


def subtract_smallest(value):
    return [item - min(value) for item in value]


def cap_at_twenty(value):
    return [min(item, 20) for item in value]


def digit_sums(value):
    result = []
    for item in value:
        result.append(sum(int(digit) for digit in str(abs(item))))
    return result


def ranks(value):
    order = sorted(value)
    return [order.index(item) for item in value]


def count_smaller_before(value):
    result = []
    for index in range(len(value)):
        count = 0
        for other in value[:index]:
            count += other < value[index]
        result.append(count)
    return result


def rising_runs(value):
    lengths = []
    for index, item in enumerate(value):
        if index > 0 and item > value[index - 1]:
            lengths[-1] += 1
        else:
            lengths.append(1)
    return lengths
