def main():
    sols = []
    def place(row, cols):
        if row == 4:
            sols.append(cols)
            return
        for c in range(4):
            if all(c != k and abs(c - k) != row - r for r, k in enumerate(cols)):
                place(row + 1, cols + [c])
    place(0, [])
    return sols
