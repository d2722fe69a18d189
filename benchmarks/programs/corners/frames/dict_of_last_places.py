def main():
    d = {}
    for i, c in enumerate('hello'):
        d[c] = i
    return d, list(d)
