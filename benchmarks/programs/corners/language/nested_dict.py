def main():
    d = {'a': {'b': [1, {'c': 2}]}}
    d['a']['b'][1]['c'] += 5
    e = d['a']
    e['z'] = 1
    return d
