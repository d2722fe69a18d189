def main():
    out = []
    for t, s in [(int, '5'), (str, 7), (bool, 0), (list, 'ab')]:
        out.append(t(s))
    return out
