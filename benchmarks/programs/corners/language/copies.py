def main():
    a = [[1], [2]]
    b = a[:]
    c = [x[:] for x in a]
    b[0].append(9)
    c[1].append(8)
    return a, b, c
