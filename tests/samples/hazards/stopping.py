"""The program turns tracing off itself."""

import sys


def quiet():
    before = 1
    sys.settrace(None)
    after = 2
    return before + after


def main():
    first = [1]
    second = quiet()
    third = first * second
    return third
