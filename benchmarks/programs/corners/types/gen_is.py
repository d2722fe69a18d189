def g():
    yield 1
def main():
    a = g()
    b = a
    return a is b, bool(a), a == b, a is not None, isinstance(a, list)
