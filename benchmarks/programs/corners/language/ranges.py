def main():
    return list(range(5, 0, -2)), list(range(0)), list(range(3, 3)), len(range(1, 10, 4)), 5 in range(0, 10, 5), range(5)[2], list(range(-3, 3))
