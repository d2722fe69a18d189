def prime(n):
    for d in range(2, n):
        if n % d == 0:
            break
    else:
        return True
    return False


def main():
    return [n for n in range(2, 15) if prime(n)]
