def main():
    x = 10
    def f(x):
        x += 1
        return x
    y = f(x)
    return x, y
