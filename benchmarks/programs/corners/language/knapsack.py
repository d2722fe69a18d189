def main():
    w, v, cap = [1, 3, 4], [15, 20, 30], 4
    best = [0] * (cap + 1)
    for i in range(3):
        for c in range(cap, w[i] - 1, -1):
            best[c] = max(best[c], best[c - w[i]] + v[i])
    return best
