def g(n):
    for i in range(n):
        yield i
        yield -i
def main():
    total = []
    for v in g(3):
        if v == 2:
            break
        total.append(v)
    return total
