def main():
    def f():
        return x
    x = 1
    a = f()
    x = 2
    return a, f()
