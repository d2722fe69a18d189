def main():
    try:
        try:
            int('q')
        except ValueError:
            raise KeyError('k')
    except KeyError:
        return 'outer'
