def main():
    vowels = set("aeiou")
    text = "programming language"
    return sum(1 for c in text if c in vowels)
