def main():
    schema = [int, str, bool]
    row = [1, 'x', True]
    ok = True
    for t, v in zip(schema, row):
        if type(v) != t:
            ok = False
    return ok, [type(v) for v in row] == schema
