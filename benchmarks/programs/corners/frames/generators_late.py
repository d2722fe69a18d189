def main():
    gs = [(x * i for x in range(2)) for i in range(3)]
    return [list(g) for g in gs]
