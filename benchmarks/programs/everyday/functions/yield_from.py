def flat(x):
    for e in x:
        if isinstance(e, list):
            yield from flat(e)
        else:
            yield e


def main():
    return list(flat([1, [2, [3, []]], 4]))
