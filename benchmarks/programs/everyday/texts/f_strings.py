def main():
    name, n = "Eve", 7
    return f"{name} has {n} apples", f"{n * 3}", f"{n:03d}", f"{name:>6}|{name:<5}|", f"{n!r}"
