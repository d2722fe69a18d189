def bubble(xs):
    n = len(xs)
    for i in range(n):
        swapped = False
        for j in range(n - i - 1):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
                swapped = True
        if not swapped:
            break
    return xs


def main():
    return bubble([5, -2, 9, 0, 5])
