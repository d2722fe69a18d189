def main():
    xs = [3, -1, 4, -1, 5]
    return min(xs), max(xs), min(xs, key=abs), max('hello'), min([], default=7), max(2, 9, 4), min('b', 'a')
