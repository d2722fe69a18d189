def main():
    s = 'The quick brown fox'
    return ' '.join(w[::-1] for w in s.split()), ''.join(c for c in s if c not in 'aeiou'), s.lower().count('o'), [len(w) for w in s.split()]
