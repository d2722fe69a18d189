def build(**opts):
    return sorted(opts.items())


def main():
    return build(b=2, a=1)
