def main():
    d = {"a": 1}
    try:
        return d["b"]
    except KeyError:
        d["b"] = 2
    return d
