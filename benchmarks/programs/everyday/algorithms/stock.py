def profit(prices):
    low, best = prices[0], 0
    for p in prices:
        low = min(low, p)
        best = max(best, p - low)
    return best


def main():
    return profit([7, 1, 5, 3, 6, 4])
