"""Objects whose special methods raise, never end, change things or lie."""


class Raises:
    def __repr__(self):
        raise ValueError("no repr")


class Exits:
    def __repr__(self):
        raise SystemExit(3)


class Mutates:
    def __init__(self, log):
        self.log = log

    def __repr__(self):
        self.log.append(len(self.log))
        return f"Mutates({len(self.log)})"


class Prints:
    def __repr__(self):
        print("from repr")
        return "Prints()"


class Address:
    pass


class Compares:
    def __init__(self, log):
        self.log = log

    def __eq__(self, other):
        self.log.append("eq")
        return True

    def __hash__(self):
        self.log.append("hash")
        return 1

    def __len__(self):
        self.log.append("len")
        return 3

    def __iter__(self):
        self.log.append("iter")
        return iter([1])

    @property
    def __class__(self):
        self.log.append("class")
        return int

    def __getattribute__(self, name):
        if name != "log":
            object.__getattribute__(self, "log").append(name)
        return object.__getattribute__(self, name)


class Text(str):
    def __repr__(self):
        raise RuntimeError("asked")

    def __eq__(self, other):
        raise RuntimeError("compared")

    __hash__ = str.__hash__


class Number(int):
    def __repr__(self):
        return "Number"

    def __index__(self):
        raise RuntimeError("asked")


class Lists(list):
    def __iter__(self):
        raise RuntimeError("iterated")

    def __len__(self):
        return -1


class Dicts(dict):
    def items(self):
        raise RuntimeError("asked")

    def __missing__(self, key):
        self[key] = [key]
        return self[key]


def main():
    log = []
    raises = Raises()
    exits = Exits()
    mutates = Mutates(log)
    prints = Prints()
    address = Address()
    address.friend = Address()
    table = Dicts(a=1)
    missing = table["b"]
    text = Text("subclass")
    number = Number(5)
    lists = Lists([1, 2])
    lists.append(text)
    mixed = [raises, {"k": mutates}, (number, address)]
    mixed.append(lists)
    mixed = {number: text}
    quiet = []
    compares = Compares(quiet)
    both = [compares, compares]
    compares = both = None
    return len(quiet), missing
