def group(words):
    groups = {}
    for w in words:
        key = "".join(sorted(w))
        groups.setdefault(key, []).append(w)
    return list(groups.values())


def main():
    return group(["eat", "tea", "tan", "ate", "nat"])
