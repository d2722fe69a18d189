def main():
    d = {}
    for w in 'the cat the dog'.split():
        d.setdefault(w, []).append(len(d))
    p = d.pop('cat')
    q = d.pop('zzz', None)
    d.update({'x': 1})
    return d, p, q, list(d.items()), sorted(d), 'dog' in d, d.get('no', 0)
