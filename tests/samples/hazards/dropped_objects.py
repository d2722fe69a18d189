"""The last reference to an object goes in the middle of a stretch without a call."""

import weakref


class Last:
    def __init__(self, target):
        self.target = target

    def __del__(self):
        self.target.append("del")


class Plain:
    pass


def rebinding():
    held = [0]
    last = Last(held)
    x = 1
    last = 5
    x = 2
    last = Last(held)
    x = [last]
    last = None
    x = 3
    first, second = Last(held), 1
    first, second = second, first
    second = None
    x = 4
    return held


def finishing(log):
    class Last:
        def __del__(self):
            log.append("dead")

    count = 0
    for each in [Last(), 1]:
        count += 1
        each = None
    for each in (1, 2):
        count += 1
    held = [Last()]
    for each in held[:]:
        each = held = None
        count += 1
    count += 1
    return log


def with_callbacks():
    held = []
    plain = Plain()
    watch = weakref.ref(plain, held.append)
    x = 1
    plain = 2
    x = 3
    held.clear()
    plain = Plain()
    watch = weakref.ref(plain, held.append)
    for each in [plain, 1]:
        plain = None
        each = None
        x = 4
    x = 5
    held.clear()
    pairs = {1: Plain()}
    watch = weakref.ref(pairs[1], held.append)
    x = 6
    pairs = None
    x = 7
    return len(held)


WATCHES = []


def watched(held):
    plain = Plain()
    WATCHES.append(weakref.ref(plain, held.append))
    return plain


def left_on_the_stack():
    held = []
    x = 1
    (watched(held),
     x)
    x = 2
    x = (watched(held)
         is None)
    x = 3
    WATCHES.clear()
    return len(held)


def leaving(held):
    plain = Plain()
    watch = weakref.ref(plain, held.append)
    held.append(watch)
    return len(held)


def after_leaving():
    held = []
    x = leaving(held)
    x += 1
    return len(held), x


def guarded(log):
    state = 0
    try:
        while True:
            state += 1
            yield state
    finally:
        log.append(state)


def abandoning():
    log = []
    generators = [guarded(log) for _ in range(3)]
    values = [next(generator) for generator in generators]
    generators.pop(1)
    generators = None
    alone = guarded(log)
    next(alone)
    del alone
    again = guarded(log)
    next(again)
    again = guarded(log)
    return log, values


def main():
    return abandoning(), rebinding(), finishing([]), with_callbacks(), left_on_the_stack(), after_leaving()
