def fibs():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


def main():
    g = fibs()
    return [next(g) for _ in range(7)]
