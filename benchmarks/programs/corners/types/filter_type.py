def only(xs, t):
    return [x for x in xs if isinstance(x, t)]
def main():
    xs = [1, 'a', True, None, [2], (3,)]
    return only(xs, int), only(xs, bool), only(xs, (str, list)), only(xs, tuple)
