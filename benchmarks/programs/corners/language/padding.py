def main():
    return 'ab'.zfill(5), '-7'.zfill(4), 'x'.center(5, '*'), 'x'.ljust(3) + '|', 'x'.rjust(3, '0')
