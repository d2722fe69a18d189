"""Values whose text is far too long, and change behind the cut, at it, and before it."""


def main():
    numbers = list(range(800))
    numbers[-1] = "behind"
    numbers[0] = "before"
    numbers.append(0)
    numbers[3], numbers[4] = numbers[4], numbers[3]
    text = "x" * 800
    text += "y"
    text = "z" + text
    quoted = "'" * 30 + "a" * 300
    escaped = "\n" * 300
    accents = "é" * 300
    table = {number: [number] * 3 for number in range(300)}
    table[299].append(1)
    table[0].append(1)
    elements = set(range(300))
    elements.add(1000)
    elements.discard(0)
    odd = {(number, None) for number in range(60)}
    odd.add((1, 2))
    nested = [[[number] * 10 for number in range(10)] for _ in range(10)]
    nested[9][9].append("end")
    nested[0][0].append("start")
    big = 7**3000
    big += 1
    pair = (numbers, text)
    data = b"q" * 1000
    data = bytearray(data)
    data[0] = 65
    floats = [number / 7 for number in range(200)]
    floats[1] = -0.0
    raised = None
    try:
        raise ValueError(numbers)
    except ValueError as error:
        raised = len(error.args)
    return numbers
