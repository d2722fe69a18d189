def main():
    x = [1, 2, 3, 4, 5, 6]
    for i in range(len(x) - 1, -1, -1):
        if x[i] % 2:
            del x[i]
    return x
