def main():
    a, b = 0, 1
    for _ in range(80):
        a, b = b, a + b
    return a
