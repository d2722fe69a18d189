def main():
    try:
        a, b = [1, 2, 3]
    except ValueError:
        return 'v'
