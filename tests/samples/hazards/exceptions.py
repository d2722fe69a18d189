"""try, except, else, finally, return in each of them, nested, chained, re-raised, and not caught at all."""


class Own(Exception):
    def __init__(self, code):
        super().__init__(code, "text")
        self.code = code


def attempt(kind, log):
    try:
        log.append("try")
        if kind == 1:
            raise ValueError(kind)
        if kind == 2:
            raise Own(kind)
        if kind == 3:
            return "try"
    except ValueError as error:
        log.append(error.args)
        return "except"
    except Own:
        log.append("own")
        raise
    else:
        log.append("else")
        return "else"
    finally:
        log.append("finally")


def overriding():
    for number in range(3):
        try:
            continue
        finally:
            if number == 1:
                break
    try:
        return 1
    finally:
        return 2


def chained():
    try:
        try:
            {}["missing"]
        except KeyError as error:
            raise Own(5) from error
    except Own as error:
        return type(error.__cause__).__name__, error.code


def silent():
    try:
        int("x")
    except (TypeError, ValueError):
        pass
    try: [][0]
    except IndexError: done = True
    return done


def checked(value):
    try:
        assert value > 1, f"too small: {value}"
    except AssertionError as error:
        return str(error)


def unwinding(depth):
    local = [depth]
    if depth == 0:
        raise Own(local)
    unwinding(depth - 1)


def main():
    log = []
    results = []
    for kind in range(4):
        try:
            results.append(attempt(kind, log))
        except Own as error:
            results.append(error.code)
    try:
        unwinding(3)
    except Own as error:
        results.append(error.code)
    raised = overriding(), chained(), silent(), checked(1), checked(2)
    return results, log, raised
