def main():
    n = 600851475143
    f = 2
    while f * f <= n and f < 80:
        if n % f == 0:
            n //= f
        else:
            f += 1
    return n, f
