"""Nothing but the program holds its objects: reference counts and identities are what they would be."""

import sys
import weakref


class Thing:
    pass


def count(value):
    return sys.getrefcount(value)


def main():
    one = [1, 2]
    two = one
    thing = Thing()
    pair = (one, thing)
    table = {"k": one}
    counts = [sys.getrefcount(one), sys.getrefcount(thing), sys.getrefcount(pair), count(table)]
    reference = weakref.ref(thing)
    alive = weakref.getweakrefcount(thing)
    pair = None
    counts.append(sys.getrefcount(thing))
    del thing
    gone = reference() is None
    two.append(sys.getrefcount(one))
    return counts, alive, gone, two
