def main():
    e = enumerate(['a', 'b', 'c'])
    next(e)
    return list(e)
