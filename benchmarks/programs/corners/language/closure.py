def main():
    def adder(n):
        def add(x):
            return x + n
        return add
    a = adder(3)
    return a(4), adder(10)(1)
