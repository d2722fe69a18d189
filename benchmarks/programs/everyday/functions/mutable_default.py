def add(x, acc=[]):
    acc.append(x)
    return acc


def main():
    add(1)
    return add(2)
