def transpose(m):
    return [[row[i] for row in m] for i in range(len(m[0]))]


def main():
    return transpose([[1, 2, 3], [4, 5, 6]])
