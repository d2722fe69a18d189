def main():
    x = None
    y = 0
    return x is None, y is None, x == None, not x, not y, x or 'd', y or 'e', 5 and 7, 0 and 7, '' or [] or 'z'
