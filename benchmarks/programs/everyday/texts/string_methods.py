def main():
    s = "  Hello, World  "
    t = s.strip()
    return (
        t.lower(),
        t.replace("l", "L"),
        t.find("World"),
        t.count("o"),
        t.startswith("Hell"),
        t.split(", "),
        t.title(),
        t.swapcase(),
    )
