def outer(k):
    def inner(x):
        return x * k

    return [inner(i) for i in range(4)]


def main():
    return outer(3)
