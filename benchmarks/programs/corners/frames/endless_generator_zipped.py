def count():
    n = 0
    while True:
        yield n
        n += 1
def main():
    out = []
    for a, b in zip(count(), 'xyz'):
        out.append((a, b))
    return out
