def a():
    return 'a'
def b():
    return 'b'
def main():
    fs = [a, b]
    return fs.index(b), a in fs, fs[::-1][0]()
