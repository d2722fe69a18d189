"""One object under several names: changed by callees, in loops, in place, through containers and cells."""


def extend(values):
    values.append(len(values))
    inner = values
    inner += [9]
    return inner


def rotate(buffer, by):
    for _ in range(by):
        buffer.append(buffer.pop(0))


def replace(values):
    values = values + [1]
    values.append(2)
    return values


def deep(grid):
    row = grid[0]
    row[0] += 1
    grid[1] = row
    row.append(grid[2])
    return row


def main():
    a = [1, 2, 3]
    b = a
    c = [a, b, [a]]
    d = {"k": a}
    b.append(4)
    a += [5]
    a = a + [6]
    b *= 2
    e = extend(b)
    rotate(b, 2)
    f = replace(a)
    g = (a, b)
    a.clear()
    c[2][0].append("nested")
    grid = [[0], [1], [2]]
    h = deep(grid)
    grid[2].append("seen twice")
    s = t = set()
    s |= {1}
    t.add(2)
    s = s | {3}
    d["k"] = d
    d["k"] = 1
    x, y = a, b
    x, y = y, x
    del a
    return c, d, e, f, g, grid, h, s, t, x, y
