def main():
    return '  a b '.strip(), 'xxabxx'.strip('x'), 'xyabyx'.lstrip('xy'), 'abc'.rstrip('cb'), ''.strip()
