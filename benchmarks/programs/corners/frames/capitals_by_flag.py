def main():
    s = 'hello world'
    caps = True
    out = ''
    for ch in s:
        out += ch.upper() if caps else ch
        caps = ch == ' '
    return out
