def main():
    x, y = 5, 0
    return 1 < x < 10, x and y, x or y, not y, (y or None) is None, x > 3 or 1 // y
