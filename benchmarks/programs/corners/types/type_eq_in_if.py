def main():
    out = []
    for x in (True, 1, 'a'):
        t = type(x)
        if t == bool:
            out.append('b')
        elif t == int:
            out.append('i')
        else:
            out.append('?')
    return out
