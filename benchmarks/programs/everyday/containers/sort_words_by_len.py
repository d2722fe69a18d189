def main():
    words = ["pear", "fig", "banana", "kiwi"]
    return sorted(words, key=len, reverse=True)
