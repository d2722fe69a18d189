def main():
    print('hi', 3, sep='-')
    x = print()
    return x
