def main():
    return 'aaa'.replace('a', 'b', 2), 'abc'.replace('', '-'), 'aaaa'.replace('aa', 'a'), 'x'.replace('y', 'z')
