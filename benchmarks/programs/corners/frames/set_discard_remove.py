def main():
    s = set()
    for w in ['a', 'b', 'a']:
        s.add(w)
    s.discard('zzz')
    s.remove('a')
    return s, 'b' in s, len(s)
