def main():
    try:
        try:
            [].pop()
        except KeyError:
            return 'wrong'
    except IndexError:
        return 'right'
