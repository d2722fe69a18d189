def main():
    a = [1, 2, 3]
    a[1:1] = [7, 8]
    a[-1:] = []
    a[:] = a[::-1]
    return a
