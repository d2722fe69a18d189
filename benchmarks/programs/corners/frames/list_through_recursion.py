def f(n):
    if n == 0:
        return []
    r = f(n - 1)
    r.append(n)
    return r
def main():
    return f(5)
