"""Changes that keep the length, the keys, the hash or the equality of what is changed."""


def main():
    values = [1, 1.0, True]
    values[0] = True
    values[1] = 1
    values[2] = 1.0
    values.reverse()
    table = {"a": 1, "b": 2}
    table["a"] = 1.0
    table["b"], table["a"] = table["a"], table["b"]
    table["c"] = table.pop("a")
    first = table.pop("c")
    table["a"] = first
    numbers = {1, 2}
    numbers.remove(1)
    numbers.add(3)
    numbers ^= {3, 9}
    one = 1
    one = True
    one = 1.0
    one = 1
    zero = 0.0
    zero = -zero
    zero = 0
    zero = False
    nan = float("nan")
    nan = float("nan")
    held = [nan, 0.0]
    held[1] = -0.0
    held[0] = float("nan")
    pair = (0.0,)
    pair = (-0.0,)
    pair = (0,)
    raw = b"ab"
    raw = bytearray(raw)
    raw[0] = 99
    raw = bytes(raw)
    text = "same"
    text = "".join(["sa", "me"])
    inner = [[1], [2]]
    inner[0], inner[1] = inner[1], inner[0]
    inner[0][0], inner[1][0] = inner[1][0], inner[0][0]
    keys = {1: "int"}
    keys[True] = "bool"
    del keys[1]
    keys[True] = "bool"
    keys[1.0] = "float"
    empty = []
    empty = ()
    empty = {}
    empty = set()
    empty = frozenset()
    shared = [1000] * 3
    shared[1] = 1000 + 0
    shared[1] = int("1000")
    shared[1] = int("1001")
    return values, table, numbers, one, zero, held, pair, raw, text, inner, keys, empty, shared
