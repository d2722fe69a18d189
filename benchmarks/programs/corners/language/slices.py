def main():
    s = 'abcdefgh'
    x = list(range(10))
    return s[::-2], s[-3:], s[10:], s[5:2], s[5:2:-1], x[1:8:3], x[::-3], x[-1:-5:-1], s[:-20]
