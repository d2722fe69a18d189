def rotate(s, k):
    k %= len(s)
    return s[-k:] + s[:-k]


def main():
    return rotate("abcdefg", 10)
