def inner(x):
    if x == 2:
        raise KeyError("two")
    return 10 // x


def main():
    out = []
    for x in (0, 1, 2):
        try:
            out.append(inner(x))
        except (KeyError, IndexError) as e:
            out.append("key")
        except ZeroDivisionError:
            out.append("zero")
    return out
