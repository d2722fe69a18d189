def main():
    d = dict(a=1, b=2)
    e = {**d, 'c': 3}
    f = d | {'a': 9}
    return d, e, f, list(e.keys()), list(f.values())
