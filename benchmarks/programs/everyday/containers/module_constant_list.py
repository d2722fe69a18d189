DIRS = [(0, 1), (1, 0)]
LIMIT = 3


def main():
    out = []
    for dx, dy in DIRS:
        out.append((dx * LIMIT, dy + LIMIT))
    return out
