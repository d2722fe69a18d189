def main():
    m = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    t = list(map(list, zip(*m)))
    d = [m[i][i] for i in range(3)]
    m[0], m[2] = m[2], m[0]
    return t, d, m
