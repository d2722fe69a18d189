def main():
    r = range(4)
    s = r
    return bool(r), bool(range(0)), r is s, len(r), r[2], r == s, isinstance(r, list)
