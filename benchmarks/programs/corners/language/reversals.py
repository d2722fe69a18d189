def main():
    x = [1, 2, 3]
    x.reverse()
    y = list(reversed(x))
    return x, y, x[::-1] is x, x.copy() == x
