def a():
    return b()
def b():
    return c()
def c():
    return {}['missing']
def main():
    try:
        a()
    except LookupError:
        return 'lookup'
