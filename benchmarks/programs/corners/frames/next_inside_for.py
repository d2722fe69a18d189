def main():
    it = iter([1, 2, 3, 4, 5])
    out = []
    for x in it:
        y = next(it, None)
        out.append((x, y))
    return out
