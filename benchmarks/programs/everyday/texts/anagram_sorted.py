def anagram(a, b):
    return sorted(a) == sorted(b)


def main():
    return anagram("listen", "silent")
