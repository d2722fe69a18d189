def main():
    return [True + True, True * 5, False - 1, True == 1, True is 1, sum([True, False, True]), -True, ~True]
