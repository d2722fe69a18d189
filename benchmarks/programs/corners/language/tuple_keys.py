def main():
    grid = {}
    for r in range(2):
        for c in range(2):
            grid[r, c] = r * 2 + c
    return grid, grid[1, 0], (0, 5) in grid
