def main():
    global N
    N = 3
    N += 4
    return N
