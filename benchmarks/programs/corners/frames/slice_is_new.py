def main():
    x = [1, 2, 3]
    y = x
    x = x[:2]
    y.append(4)
    return x, y
