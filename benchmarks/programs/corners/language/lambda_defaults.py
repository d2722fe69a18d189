def main():
    fs = [lambda x, i=i: x + i for i in range(3)]
    return [f(10) for f in fs]
