"""A `__repr__` that never ends, and one that calls itself for ever."""


class Endless:
    def __repr__(self):
        while True:
            pass


class Deep:
    def __repr__(self):
        return repr(self)


def main():
    endless = Endless()
    held = [endless]
    endless = None
    deep = Deep()
    deep = 1
    return len(held)
