def main():
    return list(enumerate('ab', 5)), [i for i, c in enumerate('hello') if c == 'l']
