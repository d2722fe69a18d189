def add(item, box):
    box.append(item)
    box = [item]
    return box


def main():
    b = [0]
    c = add(5, b)
    return b, c
