def main():
    ops = {'+': lambda a, b: a + b, '-': lambda a, b: a - b}
    return ops['+'](2, 3), ops['-'](2, 3)
