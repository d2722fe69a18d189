"""match: sequences, mappings, classes, guards, captures that are bound although the case fails."""

from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int


def shape(value):
    match value:
        case 0 | 1:
            return "bit"
        case [first, *rest] if rest:
            rest.append(first)
            return rest
        case {"kind": kind, **others}:
            others["seen"] = kind
            return others
        case Point(x=0, y=y):
            return y
        case Point(x, y) if x > y:
            return x - y
        case str() as text:
            return text.upper()
        case _:
            return None


def main():
    values = [0, [1], [1, 2, 3], {"kind": 1, "other": [2]}, Point(0, 5), Point(7, 5), Point(1, 5), "text", 2.5]
    return [shape(value) for value in values]
