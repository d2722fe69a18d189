def main():
    x = list(range(8))
    x[2:5] = ['a']
    x[0:0] = [9, 9]
    del x[-2:]
    x[::2] = [0] * len(x[::2])
    return x
