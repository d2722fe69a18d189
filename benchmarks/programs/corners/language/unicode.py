def main():
    s = 'naïve café ßΩ'
    return s.upper(), len(s), s[::-1], ord('Ω'), s.find('é'), 'ß' in s
