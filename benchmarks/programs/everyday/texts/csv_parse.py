def parse(text):
    rows = []
    for line in text.strip().split("\n"):
        name, age = line.split(",")
        rows.append({"name": name.strip(), "age": int(age)})
    return rows


def main():
    return parse("Ann, 31\nBob,7\n")
