def main():
    def bs(xs, t):
        lo, hi = 0, len(xs) - 1
        while lo <= hi:
            mid = (lo + hi) // 2
            if xs[mid] == t:
                return mid
            if xs[mid] < t:
                lo = mid + 1
            else:
                hi = mid - 1
        return -1
    xs = list(range(0, 100, 7))
    return [bs(xs, t) for t in (0, 49, 98, 50, -1)]
