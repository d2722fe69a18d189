def hanoi(n, a, b, c, moves):
    if n == 0:
        return
    hanoi(n - 1, a, c, b, moves)
    moves.append((a, c))
    hanoi(n - 1, b, a, c, moves)


def main():
    moves = []
    hanoi(3, "A", "B", "C", moves)
    return len(moves), moves
