"""Calls back from library code that is not stepped into."""

import bisect
import collections
import json
import random
import re
import string


class Encoder(json.JSONEncoder):
    def default(self, value):
        seen = [type(value).__name__]
        return seen


class Counting(collections.UserDict):
    def __getitem__(self, key):
        found = super().__getitem__(key)
        return found


def main():
    text = json.dumps({"a": {1}, "b": [1.5, None]}, cls=Encoder)
    swapped = re.sub(r"\d", lambda match: str(int(match[0]) + 1), "a1b2")
    numbers = sorted([3, 1, 2], key=lambda number: -number)
    shuffled = random.Random(5).sample(numbers, 2)
    counting = Counting(a=1)
    got = counting["a"]
    template = string.Template("$x").substitute(x=numbers)
    place = bisect.bisect_left([10, 20, 30], 2, key=lambda number: number // 10)
    grouped = collections.defaultdict(lambda: [len(grouped)])
    grouped["x"].append(1)
    return text, swapped, shuffled, got, template, place, grouped
