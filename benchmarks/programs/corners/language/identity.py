def main():
    a = [1]
    b = [1]
    c = a
    return a == b, a is b, a is c, a is not b
