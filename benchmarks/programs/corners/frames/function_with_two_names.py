def double(x):
    return x * 2
def main():
    f = double
    g = f
    return g(4), f is double, list(map(double, [1, 2]))
