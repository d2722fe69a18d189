def main():
    rows = [['a', 1], ['bb', 22]]
    return '\n'.join(f'{k:<4}{v:>4}' for k, v in rows)
