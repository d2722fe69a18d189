"""Strings that grow, and lists, dicts and sets that are mutated, also through aliases in functions called."""


def note(seen, counts, word):
    seen.add(len(word))
    counts[word[:2]] = counts.get(word[:2], 0) + 1
    return counts


def push(stack, item):
    stack.append(item)
    if len(stack) > 40:
        stack.pop(0)
    return stack


def main(rounds=1800):
    text = ""
    words = []
    counts = {}
    seen = set()
    alias = words
    for number in range(rounds):
        word = "w" + str(number * 7919 % 1000)
        text += word + " "
        push(alias, word)
        note(seen, counts, word)
        left, right = 0, len(word) - 1
        letters = list(word)
        while left < right:
            letters[left], letters[right] = letters[right], letters[left]
            left += 1
            right -= 1
        back = "".join(letters)
        if back < word:
            words[-1] = back
        if number % 10 == 9:
            text = text[-200:]
            words.sort()
            words.reverse()
    return len(text), len(words), len(counts), len(seen)
