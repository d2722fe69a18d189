def main():
    t = int
    out = [t]
    t = type(out)
    out.append(t)
    t = type(t)
    out.append(t)
    return out[0] is int, out[1] is list, out[2] is type
