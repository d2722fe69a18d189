def f(xs):
    for x in xs:
        if x < 0:
            raise ValueError('negative')
    return sum(xs)
def main():
    out = []
    for xs in ([1, 2], [1, -2]):
        try:
            out.append(f(xs))
        except ValueError:
            out.append('bad')
    return out
