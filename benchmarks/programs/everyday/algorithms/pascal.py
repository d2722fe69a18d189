def pascal(n):
    rows = [[1]]
    while len(rows) < n:
        last = rows[-1]
        rows.append([1] + [a + b for a, b in zip(last, last[1:])] + [1])
    return rows


def main():
    return pascal(5)
