def main():
    data = [1, 4, 9, 16, 25]
    out = []
    while data and (last := data.pop()) > 3:
        out.append(last * 2)
    return out, last
