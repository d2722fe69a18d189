"""global names: bound, changed and deleted by functions; names that only Python binds; conditional imports."""

import math as arithmetic
from os.path import join

counter = 0
names = ["a"]
alias = names
temporary = 1
del temporary


def bump():
    global counter, fresh
    counter += 1
    fresh = [counter]
    names.append(counter)


def drop():
    global fresh
    del fresh


for counter in range(2):
    bump()
drop()
while counter > 0: counter -= 1
if counter == 0:
    late = {"k": names}
try:
    late["missing"]
except KeyError as problem:
    message = str(problem)
globals()["dynamic"] = names
globals()[3] = "no name"
del globals()[3]
first, second = second, first = 1, 2


class Empty:
    pass


def main():
    global counter
    counter = 5
    bump()
    try:
        return counter, names[-2:], arithmetic.floor(2.5), join("a", "b"), message
    finally:
        drop()
        del names[1:]
        counter = 0
