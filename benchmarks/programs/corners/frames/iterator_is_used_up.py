def main():
    it = iter('abc')
    return list(it), list(it)
