def main():
    xs = [1]
    for x in xs:
        if x < 20:
            xs.append(x * 2)
    return xs
