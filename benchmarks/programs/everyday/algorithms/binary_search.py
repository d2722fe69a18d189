def search(xs, target):
    lo, hi = 0, len(xs) - 1
    while lo <= hi:
        mid = (lo + hi) // 2
        if xs[mid] == target:
            return mid
        elif xs[mid] < target:
            lo = mid + 1
        else:
            hi = mid - 1
    return -1


def main():
    xs = [1, 3, 5, 7, 9, 11, 13, 15, 17]
    return search(xs, 13), search(xs, 4)
