def main():
    a = [1, 2]
    t = (a, a)
    t[0].append(3)
    return t, t[0] is t[1]
