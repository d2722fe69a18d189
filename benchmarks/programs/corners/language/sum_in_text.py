def main():
    s = '3+4*2'
    total, cur = 0, ''
    for ch in s + '+':
        if ch.isdigit():
            cur += ch
        else:
            total += int(cur)
            cur = ''
    return total
