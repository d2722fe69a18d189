def main():
    def f(x):
        match x:
            case 0:
                return 'zero'
            case [a, b]:
                return a + b
            case {'k': v}:
                return v
            case str():
                return 's'
            case _:
                return None
    return f(0), f([1, 2]), f({'k': 5}), f('q'), f(3.5)
