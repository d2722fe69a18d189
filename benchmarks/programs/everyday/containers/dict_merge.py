def main():
    a = {"x": 1, "y": 2}
    b = {"y": 3}
    return {**a, **b}, a | b, [*a, *b]
