def f(n, d={}):
    if n in d:
        return d[n]
    d[n] = n * n
    return -1
def main():
    return f(3), f(3), f(4), f(4)
