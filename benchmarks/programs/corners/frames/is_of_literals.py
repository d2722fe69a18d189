def main():
    a = 5
    b = 5
    c = 'hi'
    d = 'hi'
    return a is b, c is d, a is not None, [] is [], () is ()
