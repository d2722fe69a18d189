def main():
    words = ['pear', 'fig', 'apple', 'kiwi', 'date']
    return sorted(words, key=len), sorted(words, key=len, reverse=True), sorted(words, reverse=True), sorted(words, key=lambda w: w[-1])
