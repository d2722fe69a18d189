"""sys.exit through finally, with and a generator."""

import sys


def closing(log):
    try:
        yield 1
    finally:
        log.append("generator")


def main():
    log = []
    generator = closing(log)
    next(generator)
    try:
        sys.exit({"code": log})
    finally:
        log.append("finally")
