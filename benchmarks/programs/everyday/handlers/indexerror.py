def main():
    xs = [1, 2]
    i = 0
    total = 0
    try:
        while True:
            total += xs[i]
            i += 1
    except IndexError:
        return total, i
