def change(xs):
    xs = xs + [1]
    xs.append(2)
    return xs
def main():
    a = [0]
    b = change(a)
    return a, b
