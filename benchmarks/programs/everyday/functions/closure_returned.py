def make(k):
    def inner(x):
        return x + k

    return inner


def main():
    f = make(10)
    return f(5)
