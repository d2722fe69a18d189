def quick(xs):
    if len(xs) <= 1:
        return xs
    pivot = xs[0]
    left = [x for x in xs[1:] if x < pivot]
    right = [x for x in xs[1:] if x >= pivot]
    return quick(left) + [pivot] + quick(right)


def main():
    return quick([3, 6, -1, 10, 3])
