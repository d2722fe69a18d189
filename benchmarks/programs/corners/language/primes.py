def main():
    sieve = [True] * 30
    sieve[0] = sieve[1] = False
    for i in range(2, 30):
        if sieve[i]:
            for j in range(i * i, 30, i):
                sieve[j] = False
    return [i for i, p in enumerate(sieve) if p]
