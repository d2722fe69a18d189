def main():
    return int('0x1f', 16), int('101', 2), int('-12'), int(' 7 '), bin(10), hex(255), oct(8), abs(-5), pow(3, 4), pow(3, 4, 5), (10).bit_length()
