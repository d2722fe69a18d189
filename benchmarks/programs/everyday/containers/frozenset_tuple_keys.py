def main():
    seen = {}
    for a, b in [(1, 2), (2, 1), (1, 2)]:
        key = (min(a, b), max(a, b))
        seen[key] = seen.get(key, 0) + 1
    return seen
