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


def inner(log):
    try:
        yield 1
    except KeyError:
        log.append("ended by a throw")
    return 3


def middle(log):
    got = yield from inner(log)
    log.append(got)
    yield got
    return got + 1


def outside(log):
    try:
        result = yield from middle(log)
        log.append(result)
    except OSError:
        yield 0


def delegates(log):
    first = outside(log)
    next(first)
    thrown = first.throw(KeyError)
    rest = list(first)
    second = outside(log)
    next(second)
    zero = second.throw(OSError)
    second.close()
    return thrown, rest, zero


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
    thrown_into = delegates(log)
    return thrown_into, a, b, rest, chained, thrown, total, log, mixed, doubled
