"""Classes: metaclasses, properties, slots, descriptors, inheritance, and special methods that change things."""

import enum
from dataclasses import dataclass, field


class Meta(type):
    made = []

    def __new__(meta, name, bases, space, **options):
        made = super().__new__(meta, name, bases, space)
        meta.made.append(name)
        return made

    def __init__(cls, name, bases, space, **options):
        super().__init__(name, bases, space)
        cls.options = options


class OddMeta(type):
    def __eq__(cls, other):
        raise RuntimeError("compared a class")

    __hash__ = None


class Odd(metaclass=OddMeta):
    pass


class Basis(metaclass=Meta, colour="red"):
    shared = [1]
    shared.append(2)

    def __init__(self, x):
        self.x = x
        self.log = []

    @property
    def touched(self):
        self.log.append("read")
        return self.x

    @touched.setter
    def touched(self, value):
        self.log.append(value)
        self.x = value

    def __add__(self, other):
        self.log.append("add")
        return self.x + other

    def __iadd__(self, other):
        self.x += other
        return self

    def __lt__(self, other):
        self.log.append("lt")
        return True

    def __getitem__(self, key):
        self.log.append(key)
        return key

    def __bool__(self):
        self.log.append("bool")
        return False

    def __contains__(self, item):
        self.log.append("in")
        return item == 1

    def __getattr__(self, name):
        self.log.append(name)
        return name.upper()


class Derived(Basis):
    def __init__(self, x):
        super().__init__(x * 2)
        self.own = __class__.__name__


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self):
        self.a = 1


class Colour(enum.Enum):
    RED = 1
    GREEN = "g"


@dataclass
class Point:
    x: int
    tags: list = field(default_factory=list)


class Numbers(list):
    pass


class Ordered(type):
    @classmethod
    def __prepare__(meta, name, bases):
        class Space(dict):
            def __setitem__(self, key, value):
                super().__setitem__(key, value)

        return Space()


class Prepared(metaclass=Ordered):
    first = 1
    second = [first]
    second.append(3)


def main():
    log = []
    one = Derived(4)
    two = one + 1
    one += 3
    three = one < 5
    four = one["key"]
    five = 1 if one else 2
    six = 1 in one
    seven = one.missing
    one.touched = 9
    eight = one.touched
    nine = Slotted()
    nine.b = [nine.a]
    del nine.a
    ten = Colour.RED, Colour("g")
    eleven = Point(1)
    eleven.tags.append(eleven.x)
    twelve = Numbers([1, 2])
    twelve.append(3)
    odd = Odd()
    held = [odd, odd]
    log.append(len(one.log))
    setattr(eleven, "x", held)
    eleven.y = log
    return two, three, four, five, six, seven, eight, ten, Meta.made, Derived.options
