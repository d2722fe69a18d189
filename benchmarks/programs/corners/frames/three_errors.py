def main():
    try:
        x = [1, 2][2]
    except IndexError:
        x = 'i'
    try:
        y = {}['k']
    except (KeyError, IndexError):
        y = 'k'
    try:
        z = int('12a')
    except ValueError:
        z = 'v'
    return x, y, z
