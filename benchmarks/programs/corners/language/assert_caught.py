def main():
    def f(x):
        assert x > 0, 'positive'
        return x
    try:
        f(0)
    except AssertionError:
        return 'a'
