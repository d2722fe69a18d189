"""A profile function of the program's own, which changes things unseen by any trace function."""

import sys


def called(number):
    return number + 1


def main():
    log = []

    def profile(frame, event, arg):
        if frame.f_code.co_name == "called":
            log.append(event)

    count = 0
    sys.setprofile(profile)
    count = called(count)
    count = called(count)
    sys.setprofile(None)
    count += 1
    return log, count
