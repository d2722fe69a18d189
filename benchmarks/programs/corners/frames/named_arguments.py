def f(a, b, c=0):
    return a * 100 + b * 10 + c
def main():
    return f(1, 2), f(b=1, a=2), f(1, c=5, b=3), f(*(1, 2, 3))
