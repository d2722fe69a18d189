def main():
    return 'abc'.startswith('ab'), 'abc'.endswith(('x', 'c')), 'abc'.startswith('b', 1), 'abc'.removeprefix('a'), 'abc'.removesuffix('bc')
