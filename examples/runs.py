def runs(text):
    """Letters and how often each stands in a row."""
    found = []
    for letter in text:
        if found and found[-1][0] == letter:
            found[-1][1] += 1
        else:
            found.append([letter, 1])
    return found


def main():  # << START_OF_TRACE
    return "".join(f"{letter}{count}" for letter, count in runs("aabccc"))
