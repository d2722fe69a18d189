"""Built-in names that the program has given another meaning."""

data = [1, 2, 3]


def len(value):
    value.append("len")
    return 3


def range(stop):
    data.append("range")
    yield from (0, 1)


class int:
    def __init__(self, value):
        data.append(value)


def abs(value):
    data.append(value)
    return value


def sum(values):
    values.clear()
    return 0


chr = data.append
ord = data.extend


def main():
    local = [4]
    data[:] = [1]
    held = data
    count = 0
    while count < len(local) - 1:
        count += 1
    for index in range(2):
        count += index
    number = int(5)
    number = abs(7)
    total = sum(local)
    min = local.append
    min(8)
    count = chr(9)
    count = 1
    count = ord("ab")
    count = 2
    return held, local, count, number, total
