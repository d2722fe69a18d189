def main():
    out = []
    for d in [2, 0, -3]:
        try:
            out.append(10 // d)
        except ZeroDivisionError:
            out.append(None)
    return out
