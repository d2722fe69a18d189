def main():
    words = ['eat', 'tea', 'tan', 'ate', 'nat']
    groups = {}
    for w in words:
        groups.setdefault(''.join(sorted(w)), []).append(w)
    return list(groups.values())
