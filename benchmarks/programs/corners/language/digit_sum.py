def main():
    n, s = 987654321, 0
    while n:
        n, d = divmod(n, 10)
        s += d
    return s
