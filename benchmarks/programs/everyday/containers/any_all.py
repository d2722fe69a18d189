def main():
    xs = [2, 4, 6]
    return all(x % 2 == 0 for x in xs), any(x > 5 for x in xs), all([]), any([0, "", None])
