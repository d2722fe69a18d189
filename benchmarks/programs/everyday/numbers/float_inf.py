def main():
    best = float("inf")
    for x in [3, 1, 2]:
        if x < best:
            best = x
    return best
