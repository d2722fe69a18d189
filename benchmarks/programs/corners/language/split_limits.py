def main():
    s = 'a,b,,c,d'
    return s.split(','), s.split(',', 2), s.rsplit(',', 1), '  x  y '.split(), s.partition(',,'), 'abc'.rpartition('z')
