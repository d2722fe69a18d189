def main():
    n = 3
    g = (n * x for x in range(3))
    n = 10
    return list(g)
