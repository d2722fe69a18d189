def f(*args):
    return len(args), args[-1] if args else None
def main():
    xs = [1, 2, 3]
    return f(), f(1), f(*xs), f(0, *xs)
