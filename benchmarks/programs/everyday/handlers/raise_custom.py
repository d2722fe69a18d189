def check(age):
    if age < 0:
        raise ValueError("negative age: " + str(age))
    return age


def main():
    out = []
    for a in (5, -3, 0):
        try:
            out.append(check(a))
        except ValueError as e:
            out.append(str(e))
    return out
