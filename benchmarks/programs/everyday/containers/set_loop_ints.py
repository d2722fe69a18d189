def main():
    s = set()
    for x in [5, 3, 5, 1]:
        s.add(x)
    s.discard(3)
    s.remove(1)
    total = 0
    for x in s:
        total += x
    return total, len(s)
