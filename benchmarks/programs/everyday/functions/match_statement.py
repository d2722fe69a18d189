def kind(x):
    match x:
        case 0:
            return "zero"
        case [a, b]:
            return "pair"
        case _:
            return "other"


def main():
    return kind(0), kind([1, 2]), kind("s")
