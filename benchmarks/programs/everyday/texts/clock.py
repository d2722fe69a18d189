def add(t, minutes):
    h, m = t.split(":")
    total = int(h) * 60 + int(m) + minutes
    total %= 24 * 60
    return str(total // 60).zfill(2) + ":" + str(total % 60).zfill(2)


def main():
    return add("23:50", 25)
