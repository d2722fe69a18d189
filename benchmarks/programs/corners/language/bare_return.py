def main():
    def f(x):
        if x:
            return
        x = 1
    return f(1), f(0)
