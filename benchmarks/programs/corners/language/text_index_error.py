def main():
    try:
        return 'abc'.index('z')
    except ValueError as e:
        return 'no'
