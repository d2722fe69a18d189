def g():
    x = yield 1
    yield x
def main():
    it = g()
    a = next(it)
    b = next(it)
    return a, b
