def main():
    a = 'abc'
    b = a
    a += 'd'
    return a, b
