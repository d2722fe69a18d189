def main():
    s = 'banana'
    return s.find('an'), s.rfind('an'), s.count('a'), s.count('ana'), s.index('n'), s.find('x'), s.find('a', 2, 4), s.count('')
