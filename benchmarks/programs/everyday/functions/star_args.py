def total(*nums, scale=1):
    s = 0
    for n in nums:
        s += n * scale
    return s


def main():
    return total(1, 2, 3), total(4, 5, scale=-2), total()
