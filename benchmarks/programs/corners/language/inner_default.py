def main():
    def f(x, acc=[]):
        acc.append(x)
        return acc
    f(1)
    return f(2), f(3, [])
