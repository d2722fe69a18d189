def main():
    g = [[0] * 3] * 2
    g[0][1] = 5
    h = [[0] * 3 for _ in range(2)]
    h[0][1] = 5
    return g, h
