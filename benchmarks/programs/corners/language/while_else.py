def main():
    n = 5
    while n > 0:
        n -= 2
        if n == 0:
            break
    else:
        n = 100
    return n
