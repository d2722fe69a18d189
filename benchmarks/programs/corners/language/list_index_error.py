def main():
    try:
        [1, 2].index(3)
    except ValueError:
        return 'no'
