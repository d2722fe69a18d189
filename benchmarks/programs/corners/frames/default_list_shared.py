def f(x, y=[]):
    y.append(x)
    return y
def main():
    a = f(1)
    b = f(2)
    return a is b, a, f(3, [0])
