def main():
    d = {"a": 1, "b": 2}
    d.update({"c": 3, "a": 9})
    x = d.pop("b")
    y = d.pop("zz", None)
    d.setdefault("e", 5)
    k = list(d.keys())
    del d["c"]
    return d, x, y, k, sorted(d.items(), key=lambda kv: kv[1])
