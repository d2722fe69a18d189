def main():
    return 'a\nb\n'.splitlines(), 'a\n\nb'.split('\n'), 'x\ty'.expandtabs(4)
