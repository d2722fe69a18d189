def main():
    def gcd(a, b):
        while b:
            a, b = b, a % b
        return a
    return [gcd(1071, 462), gcd(17, 5), gcd(0, 9), gcd(123456, 7890)]
