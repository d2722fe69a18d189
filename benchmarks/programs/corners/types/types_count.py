def main():
    counts = {}
    for x in [1, 'a', 2, True, 'b', None]:
        name = type(x).__name__
        counts[name] = counts.get(name, 0) + 1
    return counts
