"""When objects die: __del__, weakref callbacks, generators that are collected, cycles that gc finds."""

import gc
import weakref


class Node:
    def __init__(self, name, log):
        self.name = name
        self.log = log

    def __del__(self):
        self.log.append("del " + self.name)


def scoped(log):
    local = Node("local", log)
    other = [Node("in list", log)]
    log.append("leaving")
    return len(other)


def generator(log):
    held = Node("in generator", log)
    try:
        yield held.name
    finally:
        log.append("generator closed")


def cycle(log):
    a = Node("a", log)
    a.self = a
    return weakref.ref(a)


def raising(log):
    local = Node("in raising", log)
    raise ValueError("gone")


def main():
    gc.disable()
    log = []
    scoped(log)
    log.append("after scoped")
    held = Node("held", log)
    watch = weakref.finalize(held, log.append, "finalized")
    watch = None
    held = 1
    running = generator(log)
    name = next(running)
    running = None
    log.append("after generator")
    try:
        raising(log)
    except ValueError as error:
        kept = error
    log.append("before traceback")
    kept = None
    reference = cycle(log)
    alive = reference() is not None
    found = gc.collect() > 0
    gone = reference() is None
    items = [Node(str(n), log) for n in range(3)]
    items.pop(1)
    items = None
    Node("temporary", log).name
    dead = []
    other = Node("watched", log)
    watcher = weakref.ref(other, lambda reference: dead.append("dead"))
    quick = weakref.ref(other, dead.append)
    other = None
    dead[:] = [type(entry).__name__ for entry in dead]
    first = Node("first", log)
    first = Node("second", log)
    held = [Node("third", log)]
    held.clear()
    del first
    gc.enable()
    return log, name, alive, found, gone, dead
