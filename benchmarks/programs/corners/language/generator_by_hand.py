def main():
    def g():
        yield 1
        yield 2
    it = g()
    a = next(it)
    b = next(it)
    c = next(it, 'done')
    return a, b, c
