def to_bin(n):
    if n == 0:
        return "0"
    bits = ""
    while n > 0:
        bits = str(n % 2) + bits
        n //= 2
    return bits


def main():
    return to_bin(45), bin(10), int("1011", 2), hex(255)
