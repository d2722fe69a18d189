def main():
    a = b = 0
    a += 1
    s = t = 'x'
    s += 'y'
    l = m = [0]
    l += [1]
    return a, b, s, t, l, m
