def main():
    return [(i, w[0]) for i, w in enumerate(["ab", "cd"], start=1)]
