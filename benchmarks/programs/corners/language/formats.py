def main():
    n, s = 42, 'hi'
    return f'{n:05d}|{s:>5}|{s:<5}|{s:^6}|{n:x}|{n!r}|{s!r}'
