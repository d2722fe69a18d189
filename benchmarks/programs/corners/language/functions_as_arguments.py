def main():
    def apply(f, x):
        return f(x)
    return apply(len, 'abc'), apply(str, 5), apply(lambda v: v * 2, 'z'), apply(sorted, 'cab')
