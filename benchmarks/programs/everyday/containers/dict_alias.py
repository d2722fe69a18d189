def main():
    d = {"x": []}
    y = d["x"]
    y.append(1)
    d["z"] = y
    d["z"].append(2)
    y = y + [3]
    return d, y
