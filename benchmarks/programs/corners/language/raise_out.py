def main():
    x = [1, 2]
    return x[5]
