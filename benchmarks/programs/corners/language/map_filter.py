def main():
    return list(map(str, [1, 2])), list(filter(None, [0, 1, '', 'a'])), list(map(lambda a, b: a - b, [5, 6], [1, 2])), list(filter(lambda x: x > 1, [1, 2, 3]))
