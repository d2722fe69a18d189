"""Variables reached without naming them: locals(), f_locals, exec, eval, gc, tracebacks, a caller's frame."""

import gc
import sys


def through_locals():
    held = [1, 2]
    count = 0
    locals()["held"].append(3)
    count += 1
    vars()["held"].append(4)
    count += 1
    return held, count


def through_exec():
    held = [1]
    exec("held.append(2)")
    eval("held.append(3)")
    count = 1
    exec("invented = [5]")
    count += 1
    return held, count


def reach_up():
    caller = sys._getframe(1)
    caller.f_locals["held"].append("reached")


def through_frame():
    held = ["own"]
    reach_up()
    count = 1
    sys._getframe().f_locals["held"].append("self")
    count += 1
    return held


def through_traceback():
    held = [1]
    try:
        raise ValueError
    except ValueError as error:
        frame = error.__traceback__.tb_frame
    frame.f_locals["held"].append(2)
    frame = None
    return held


def suspended():
    held = ["generator"]
    yield 1
    yield held


def through_generator():
    generator = suspended()
    next(generator)
    generator.gi_frame.f_locals["held"].append("outside")
    return next(generator)


def through_collector(token):
    held = [token, 1]
    count = 0
    find(token)
    count += 1
    return held


def find(token):
    next(filter(list.__instancecheck__, gc.get_referrers(token))).append("found")


class Finder:
    def find(self, token):
        next(filter(list.__instancecheck__, gc.get_referrers(token))).append("found again")


def through_method(token, finder):
    held = [token, 2]
    count = 0
    finder.find(token)
    count += 1
    return held


def main():
    return through_method(int("87654321"), Finder()), through_locals(), through_exec(), through_frame(), through_traceback(), through_generator(), through_collector(int("12345678"))
