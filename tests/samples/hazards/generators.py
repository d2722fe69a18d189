"""Generators: send, throw, close, yield from, and frames whose address is used again."""


def counting(limit, log):
    number = 0
    while number < limit:
        log.append(number)
        got = yield number
        if got is not None:
            number = got
        number += 1
    return "done"


def delegating(log):
    result = yield from counting(3, log)
    log.append(result)
    yield from [10, 20]
    return result


def guarded(log):
    state = 0
    try:
        while True:
            state += 1
            try:
                yield state
            except ValueError as error:
                log.append(str(error))
                state = 100
    finally:
        log.append("closed")
        state = -1


def short(number):
    yield number


def never_started(log):
    log.append("started")
    yield 1


def stops():
    yield 1
    raise StopIteration("inside")


def main():
    log = []
    first = counting(6, log)
    a = next(first)
    b = first.send(3)
    rest = list(first)
    chained = list(delegating(log))
    careful = guarded(log)
    next(careful)
    thrown = careful.throw(ValueError("thrown"))
    careful.close()
    total = 0
    for number in range(5):
        for item in short(number):
            total += item
    unborn = never_started(log)
    try:
        unborn.throw(KeyError("early"))
    except KeyError as error:
        log.append(error.args)
    try:
        list(stops())
    except RuntimeError as error:
        log.append(type(error).__name__)
    both = [counting(2, log), counting(2, log)]
    mixed = [next(both[0]), next(both[1]), next(both[0])]
    try:
        next(both[0])
    except StopIteration as stop:
        mixed.append(stop.value)
    lazy = (item * 2 for item in rest if item)
    doubled = sum(lazy)
    return a, b, rest, chained, thrown, total, log, mixed, doubled
