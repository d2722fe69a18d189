def main():
    d = {1: 'a', True: 'b', 0: 'c', False: 'd'}
    d[1] += 'x'
    return d, len(d), d[True]
