def main():
    n = 255
    out = ''
    while n:
        out = '0123456789abcdef'[n % 16] + out
        n //= 16
    return out
