def main():
    moves = []
    def h(n, a, b, c):
        if n == 0:
            return
        h(n - 1, a, c, b)
        moves.append(a + c)
        h(n - 1, b, a, c)
    h(3, 'A', 'B', 'C')
    return moves
