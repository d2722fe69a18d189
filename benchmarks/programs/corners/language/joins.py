def main():
    return ','.join(['a', 'b']), ''.join(str(i) for i in range(3)), '-'.join('abc'), ' '.join([])
