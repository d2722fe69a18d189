def main():
    keys = ["a", "b", "c"]
    vals = [1, 2, 3]
    d = dict(zip(keys, vals))
    inv = {v: k for k, v in d.items()}
    return d, inv
