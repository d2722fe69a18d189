def main():
    s = 'abcabc'
    return s.replace('b', 'XY').split('c'), s[1:-1] + s[-1] * 2, s.upper()[::2], s.index('c', 3)
