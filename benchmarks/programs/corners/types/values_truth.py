def main():
    def f():
        return 1
    h = {'a': f}
    g = h.get('a')
    if g:
        r = g()
    m = h.get('b') or f
    return r, m(), m is g, f != g, [f, g].count(f)
