def countdown(n):
    while n > 0:
        yield n
        n -= 1


def main():
    return [x * x for x in countdown(4)]
