def main():
    xs = [1, 2, 3, 4]
    return list(map(lambda x: x * 2, xs)), list(filter(lambda x: x % 2, xs)), list(map(str, xs))
