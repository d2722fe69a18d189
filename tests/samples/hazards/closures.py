"""Cells: nonlocal, late binding, cells shared by functions, deleted cells, arguments that are cells."""


def counter(start):
    history = []

    def step(by=1):
        nonlocal start
        start += by
        history.append(start)
        return start

    def peek():
        return start, list(history)

    return step, peek


def late():
    functions = []
    for index in range(3):
        functions.append(lambda: index)
    index = 10
    return [function() for function in functions]


def deep(a):
    def middle(b):
        def inner(c):
            nonlocal a, b
            a, b = b + c, a
            return a, b

        first = inner(1)
        second = inner(2)
        return first, second, b

    result = middle(5)
    return result, a


def emptied():
    held = [1, 2]

    def use():
        return held

    before = use()
    del held
    try:
        use()
    except NameError as error:
        message = type(error).__name__
    held = (before, message)
    return use()


def rebinds():
    shared = [1]

    def replace():
        nonlocal shared
        shared = [1]

    def mutate():
        shared.append(2)

    replace()
    mutate()
    replace()
    shared = None
    replace()
    return shared


def main():
    step, peek = counter(3)
    step()
    step(by=4)
    seen = peek()
    return seen, late(), deep(1), emptied(), rebinds()
