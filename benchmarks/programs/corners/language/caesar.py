def main():
    s = 'Hello, World!'
    out = []
    for c in s:
        if c.isalpha():
            base = ord('A') if c.isupper() else ord('a')
            out.append(chr((ord(c) - base + 3) % 26 + base))
        else:
            out.append(c)
    return ''.join(out)
