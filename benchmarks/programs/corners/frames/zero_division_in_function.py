def f(x):
    try:
        return 10 // x
    except ZeroDivisionError:
        return 'zero'
def main():
    return f(2), f(0)
