def main():
    x = None
    t = type(x)
    return t is type(None), isinstance(x, t), t == bool
