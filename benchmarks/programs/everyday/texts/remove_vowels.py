def main():
    s = "Programming"
    return "".join(c for c in s if c not in "aeiou"), "".join(sorted(s, key=str.lower)), s.lower().count("m")
