def main():
    fs = [lambda: 1, lambda: 2]
    return fs[0](), fs[1]()
