def main():
    return list(zip([1, 2, 3], 'ab')), dict(zip('xy', [1, 2])), [a * b for a, b in zip([1, 2], [3, 4])], list(zip())
