def main():
    x = [1, 2, 3, 2]
    x.insert(1, 9)
    x.insert(-1, 8)
    x.insert(100, 7)
    x.remove(2)
    x.extend('ab')
    return x, x.count(2), x.pop(0), x.pop(-2), x
