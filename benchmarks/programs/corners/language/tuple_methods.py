def main():
    t = (1, 2, 2)
    return t.count(2), t.index(2), t + (3,), t[1:], len(t), 2 in t, hash(()) == hash(())
