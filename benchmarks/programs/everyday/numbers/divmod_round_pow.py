def main():
    h, rest = divmod(3725, 3600)
    m, s = divmod(rest, 60)
    return f"{h}:{m:02}:{s:02}", pow(3, 5), pow(3, 5, 7), round(7)
