def main():
    def f(a, b=2, *args, c=3, **kw):
        return a, b, args, c, sorted(kw.items())
    return f(1), f(1, 5, 6, 7, c=8, d=9), f(b=1, a=0)
