def compose(f, g):
    return lambda x: f(g(x))
def inc(x):
    return x + 1
def main():
    h = compose(inc, inc)
    return h(1)
