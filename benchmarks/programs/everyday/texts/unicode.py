def main():
    s = "naïve café"
    return len(s), s[2], s.upper(), s[::-1], [c for c in s if c == "é"]
