def bfs(grid):
    q = [(0, 0, 0)]
    seen = {(0, 0)}
    while q:
        r, c, d = q.pop(0)
        if (r, c) == (2, 2):
            return d
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            nr, nc = r + dr, c + dc
            if 0 <= nr < 3 and 0 <= nc < 3 and grid[nr][nc] == 0 and (nr, nc) not in seen:
                seen.add((nr, nc))
                q.append((nr, nc, d + 1))
    return -1


def main():
    return bfs([[0, 0, 1], [1, 0, 1], [1, 0, 0]])
