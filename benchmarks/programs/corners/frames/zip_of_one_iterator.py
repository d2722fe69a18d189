def main():
    it = iter([1, 2, 3])
    return [a for a in zip(it, it)], list(it)
