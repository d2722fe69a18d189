def main():
    return 7 / 2, 3 * 0.5, round(2.5), 1e3, int(3.9)
