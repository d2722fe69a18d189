def main():
    xs = [1, 2, 4]
    return sum(xs) / len(xs)
