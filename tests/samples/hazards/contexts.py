"""with: several at once, swallowing, raising on the way out, contextlib."""

import contextlib


class Managed:
    def __init__(self, name, log, swallow=False):
        self.name = name
        self.log = log
        self.swallow = swallow

    def __enter__(self):
        self.log.append("+" + self.name)
        return self.log

    def __exit__(self, kind, value, traceback):
        self.log.append("-" + self.name)
        return self.swallow


@contextlib.contextmanager
def temporary(log):
    log.append("begin")
    try:
        yield len(log)
    finally:
        log.append("end")


def main():
    log = []
    with Managed("a", log) as first, Managed("b", log, swallow=True):
        first.append("body")
        raise KeyError("swallowed")
    with (
        temporary(log) as count,
        contextlib.suppress(ZeroDivisionError),
    ):
        1 / 0
    try:
        with Managed("c", log):
            log[100]
    except IndexError:
        log.append("caught")
    with contextlib.ExitStack() as stack:
        for name in "de":
            stack.enter_context(Managed(name, log))
    return log, count
