def main():
    m = [[0] * 4 for _ in range(4)]
    r, c, dr, dc = 0, 0, 0, 1
    for k in range(1, 17):
        m[r][c] = k
        if not (0 <= r + dr < 4 and 0 <= c + dc < 4 and m[r + dr][c + dc] == 0):
            dr, dc = dc, -dr
        r, c = r + dr, c + dc
    return m
