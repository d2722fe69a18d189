def main():
    x = (1)
    y = (1,)
    z = ()
    w = 1, 2
    return x, y, z, w, len(y), y + z
