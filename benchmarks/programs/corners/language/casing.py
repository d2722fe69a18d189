def main():
    s = 'hello World foo'
    return s.title(), s.capitalize(), s.swapcase(), s.upper().lower() == s.lower(), s.istitle(), 'A1'.isupper(), '12'.isdigit(), 'a_b'.isalnum(), ' '.isspace()
