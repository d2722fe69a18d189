def digital_root(n):
    while n >= 10:
        s = 0
        while n:
            s += n % 10
            n //= 10
        n = s
    return n


def main():
    return digital_root(987654321012345)
