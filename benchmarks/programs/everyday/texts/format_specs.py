def main():
    return f"{1234567:,}", f"{255:x}", f"{5:b}", "{:>5}".format(42), "%d-%s" % (3, "x")
