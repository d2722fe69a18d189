def show(x):
    if isinstance(x, bool):
        return "bool"
    if isinstance(x, (int, str)):
        return "scalar"
    if x is None:
        return "none"
    return type(x).__name__


def main():
    return show(True), show(3), show("a"), show(None), show([1])
