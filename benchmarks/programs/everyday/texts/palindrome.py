def is_pal(s):
    s = "".join(c.lower() for c in s if c.isalnum())
    return s == s[::-1]


def main():
    return is_pal("A man, a plan"), is_pal("Was it a car")
