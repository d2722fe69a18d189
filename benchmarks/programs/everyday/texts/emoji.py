def main():
    s = "hi 😀 you"
    parts = s.split()
    return parts, len(parts[1]), "😀" in s
