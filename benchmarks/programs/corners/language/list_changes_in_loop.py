def main():
    x = [1, 2, 3, 4]
    for v in x:
        if v % 2 == 0:
            x.remove(v)
    y = [1]
    for v in y:
        if v < 5:
            y.append(v + 1)
    return x, y
