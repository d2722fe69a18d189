def rle(s):
    if not s:
        return ""
    out, prev, n = [], s[0], 1
    for c in s[1:]:
        if c == prev:
            n += 1
        else:
            out.append(prev + str(n))
            prev, n = c, 1
    out.append(prev + str(n))
    return "".join(out)


def main():
    return rle("aaabccdddd")
