def main():
    g = (x * x for x in range(3))
    first = next(g)
    return first, list(g), list(g)
