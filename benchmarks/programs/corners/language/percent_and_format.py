def main():
    return '%s-%d-%03d' % ('a', 5, 7), '{}-{}'.format(1, 'b'), '{1}{0}'.format('x', 'y'), '{a}'.format(a=3)
