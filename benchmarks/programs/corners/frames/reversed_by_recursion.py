def f(xs, out):
    if not xs:
        return out
    out.insert(0, xs[0])
    return f(xs[1:], out)
def main():
    return f([1, 2, 3], [])
