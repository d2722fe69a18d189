def main():
    s = 'mississippi'
    best, cur = '', ''
    for i, c in enumerate(s):
        if i and c == s[i - 1]:
            cur = c
        else:
            cur += c
        if len(cur) > len(best):
            best = cur
    return best
