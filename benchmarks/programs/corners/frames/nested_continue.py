def main():
    total = 0
    for i in range(3):
        for j in range(i, 3):
            if (i + j) % 2:
                continue
            total += i * 10 + j
    return total
