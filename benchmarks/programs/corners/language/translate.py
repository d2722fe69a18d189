def main():
    t = str.maketrans('abc', 'xyz')
    return 'aabbcc'.translate(t)
