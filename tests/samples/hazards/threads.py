"""Threads, one after the other: functions, nested ones, generators that go on in another thread.

The thread objects themselves stay out of sight: their text has numbers that differ from run to run.
"""

import itertools
import operator
import threading


def in_thread(function, *args):
    first, second = itertools.tee([threading.Thread(target=function, args=args)])
    [*map(operator.methodcaller("start"), first), *map(operator.methodcaller("join"), second)]


def work(name, out):
    for index in range(2):
        out.append((name, index))
    return name


def nested(out):
    out.append("outer")
    in_thread(work, "inner", out)
    out.append("outer again")


def raising(out):
    try:
        work("r", out)
        raise ValueError("in thread")
    except ValueError as error:
        out.append(error.args)


def numbers():
    got = yield 1
    yield got


def resume(source, out):
    out.append(source.send(5))


def main():
    out = []
    for name in "ab":
        in_thread(work, name, out)
    nested(out)
    in_thread(nested, out)
    in_thread(raising, out)
    source = numbers()
    first = next(source)
    in_thread(resume, source, out)
    last = list(source)
    return out, first, last
