def parse(s):
    try:
        n = int(s)
    except ValueError as e:
        return -1
    else:
        return n + 1


def main():
    return parse("41"), parse("x1")
