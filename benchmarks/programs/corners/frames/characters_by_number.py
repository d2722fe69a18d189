def main():
    c = 'm'
    return chr(ord(c) + 1), ord('a'), chr(65), [chr(ord('a') + i) for i in range(4)], 'a' < 'B', 'é' > 'z'
