def main():
    def f():
        return 1
    return isinstance(f, int), isinstance(f, (str, list)), f is None, f == 1
