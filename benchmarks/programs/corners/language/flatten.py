def main():
    def flat(x):
        if isinstance(x, list):
            out = []
            for y in x:
                out += flat(y)
            return out
        return [x]
    return flat([1, [2, [3, [4]], 5], []])
