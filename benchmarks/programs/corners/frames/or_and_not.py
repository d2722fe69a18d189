def main():
    x = 0
    x = x or 5
    y = None
    y = y if y is not None else 7
    z = [] or [1]
    w = 'a' and 'b'
    return x, y, z, w, not [], not 'a', bool(''), bool([0])
