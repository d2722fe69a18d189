def transpose(m):
    return [list(row) for row in zip(*m)]


def main():
    return transpose([[1, 2, 3], [4, 5, 6]])
