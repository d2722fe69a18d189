def main():
    d = {}
    d['self'] = [1]
    e = d['self']
    e.append(2)
    d2 = dict(d)
    d2['self'].append(3)
    d2['new'] = 1
    return d, d2
