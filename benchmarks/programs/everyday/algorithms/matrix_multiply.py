def matmul(a, b):
    n, m, k = len(a), len(b[0]), len(b)
    c = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            for x in range(k):
                c[i][j] += a[i][x] * b[x][j]
    return c


def main():
    return matmul([[1, 2], [3, 4]], [[5, -6], [7, 8]])
