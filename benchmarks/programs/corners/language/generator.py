def main():
    def g(n):
        while n > 0:
            yield n
            n -= 2
    return list(g(5)), sum(g(6)), [x for x in g(3)]
