def main():
    xs = [3, 1, 2]
    xs.insert(1, 9)
    xs.remove(3)
    xs.extend([7, 7])
    xs.reverse()
    i = xs.index(9)
    n = xs.count(7)
    y = xs.pop(0)
    ys = xs.copy()
    xs.clear()
    return i, n, y, xs, ys
