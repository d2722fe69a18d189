def main():
    xs = [1, 2, 3]
    it = iter(xs)
    next(it)
    xs.insert(0, 0)
    return next(it), next(it)
