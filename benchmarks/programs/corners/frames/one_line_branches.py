def main():
    x = 5
    if x > 3: y = 1
    else: y = 2
    z = 1; w = 2
    return y, z, w
