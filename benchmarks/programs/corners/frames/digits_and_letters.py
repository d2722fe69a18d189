def main():
    text = 'a1b22c333'
    digits, letters = '', []
    for ch in text:
        if ch.isdigit():
            digits += ch
        elif ch.isalpha():
            letters.append(ch)
    return int(digits), letters
