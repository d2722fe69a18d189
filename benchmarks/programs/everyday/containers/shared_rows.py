def main():
    grid = [[0] * 3] * 2
    grid[0][1] = 5
    other = [[0] * 3 for _ in range(2)]
    other[0][1] = 5
    return grid, other
