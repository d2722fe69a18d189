def main():
    out = []
    for x in [1, 'a', None, [1]]:
        try:
            out.append(x + 1)
        except TypeError:
            out.append('T')
    return out
