def main():
    x = [1, 2, 3, 4]
    y = [v for v in x if v > 1]
    v = 'outer'
    z = [v for v in 'ab']
    return y, v, z
