def main():
    x = -12
    words = ["a", "b"]
    return f"{x=} {words} {len(words)} {'yes' if x < 0 else 'no'}"
