def safe(qs, col):
    row = len(qs)
    for r, c in enumerate(qs):
        if c == col or abs(c - col) == row - r:
            return False
    return True


def solve(qs, n):
    if len(qs) == n:
        return qs
    for col in range(n):
        if safe(qs, col):
            found = solve(qs + [col], n)
            if found:
                return found
    return None


def main():
    return solve([], 4)
