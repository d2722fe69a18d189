def main():
    s = "tab\there 'quote' \"dq\" back\\slash"
    return s, len(s), s.split('\t'), s[-1], "'" in s
