def main():
    return 'a' < 'b', 'Z' < 'a', 'abc' < 'abd', 'ab' < 'abc', '' < 'a', [1, 2] < [1, 3], (1, 'a') < (1, 'b'), [2] > [1, 9]
