def main():
    for i in range(3):
        print(i, "squared is", i * i)
    print()
    return None
