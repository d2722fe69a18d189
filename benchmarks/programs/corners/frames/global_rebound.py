X = 1
def g():
    return X
def main():
    global X
    X = 5
    a = g()
    X += 1
    return a, g(), X
