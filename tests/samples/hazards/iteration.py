"""Loops that change what they go over, odd targets, nested breaks, else, enumerate, zip, dict views."""


class Target:
    pass


def main():
    values = [1, 2, 3]
    for value in values:
        if value < 3:
            values.append(value + 2)
    for values[0] in range(3):
        pass
    target = Target()
    for target.field in "ab":
        values[1] = target.field
    counts = {}
    for counts[len(counts)] in "xy":
        continue
    for index, (left, right) in enumerate(zip("abc", [1, 2, 3])):
        if index == 1:
            break
    else:
        index = None
    for key in list(counts):
        counts[key + 10] = counts.pop(key)
    for key, item in counts.items():
        counts[key] = item * 2
    outer = 0
    for i in range(3):
        for j in range(3):
            if j == 2:
                break
            outer += i * j
        else:
            outer = -1
    while outer:
        outer -= 1
        if outer == 1:
            continue
    else:
        outer = "else"
    iterator = iter([1, 2, 3])
    for first in iterator:
        second = next(iterator, None)
    backwards = [n for n in reversed(values)]
    values[:] = sorted(values, key=str)
    values[::2] = values[1::2] + [0] * (len(values[::2]) - len(values[1::2]))
    numbers = [5, 6, 7]
    for n in numbers[1:]:
        numbers.remove(n)
    for ch in "hé\n":
        last = ch
    for pair in {1: 2}.items():
        pass
    return values, counts, index, left, right, outer, first, second, backwards, numbers, last, pair
