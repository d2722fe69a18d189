def main():
    a = {1, 2, 3, 4}
    b = {3, 4, 5}
    return a & b, a | b, a - b, a ^ b
