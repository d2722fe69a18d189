def main():
    def f(n):
        if n < 0:
            raise ValueError('neg')
        return n
    out = []
    for n in [1, -1]:
        try:
            out.append(f(n))
        except (TypeError, ValueError):
            out.append('caught')
    return out
