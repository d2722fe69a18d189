def main():
    x = 1
    for i in range(1, 19):
        x *= i
    return x, x % 1000007, x // 12345
