def main():
    s = "it's \"q\" \\ \n"
    return s, len(s), repr(s), s[-1]
