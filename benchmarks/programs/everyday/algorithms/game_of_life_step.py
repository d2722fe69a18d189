def step(g):
    n = len(g)
    new = [row[:] for row in g]
    for r in range(n):
        for c in range(n):
            live = 0
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    if (dr or dc) and 0 <= r + dr < n and 0 <= c + dc < n:
                        live += g[r + dr][c + dc]
            new[r][c] = 1 if live == 3 or (live == 2 and g[r][c]) else 0
    return new


def main():
    return step([[0, 1, 0], [0, 1, 0], [0, 1, 0]])
