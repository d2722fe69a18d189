def main():
    words = ["apple", "bob", "cat", "apple"]
    lens = {len(w) for w in words}
    return sorted(lens), sorted(set(words))
