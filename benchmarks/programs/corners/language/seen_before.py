def main():
    seen, dup = set(), []
    for x in [3, 1, 3, 2, 1]:
        if x in seen:
            dup.append(x)
        seen.add(x)
    return dup, sorted(seen), len(seen)
