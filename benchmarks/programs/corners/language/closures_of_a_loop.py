def main():
    fs = []
    for i in range(3):
        fs.append(lambda: i)
    return [f() for f in fs]
