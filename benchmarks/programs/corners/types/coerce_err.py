def conv(s):
    for t in (int, str):
        try:
            return t(s)
        except ValueError:
            continue
def main():
    return conv('12'), conv('ab')
