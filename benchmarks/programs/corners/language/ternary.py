def main():
    xs = []
    for i in range(6):
        xs.append('even' if i % 2 == 0 else ('three' if i == 3 else 'odd'))
    return xs
