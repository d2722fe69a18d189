def f(x, t=int):
    return t(x)
def main():
    return f('3'), f(3, str), f(0, t=bool)
