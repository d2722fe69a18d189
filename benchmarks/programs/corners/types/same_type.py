def same(xs):
    t = type(xs[0])
    for x in xs:
        if type(x) != t:
            return False
    return True
def main():
    return same([1, 2]), same([1, True]), same([True, False]), same(['a', 'b', 1]), same([[], []])
