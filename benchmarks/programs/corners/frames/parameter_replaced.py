def f(d):
    d = {}
    d['x'] = 1
def main():
    d = {'y': 2}
    r = f(d)
    return d, r
