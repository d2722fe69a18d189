def main():
    d = {3: 'c', 1: 'a', 2: 'b'}
    return sorted(d), sorted(d.values()), sorted(d.items(), key=lambda kv: -kv[0]), max(d), min(d, key=lambda k: d[k])
