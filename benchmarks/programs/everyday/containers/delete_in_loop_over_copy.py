def main():
    d = {1: "a", 2: "b", 3: "c"}
    for k in list(d):
        if k % 2:
            del d[k]
    return d
