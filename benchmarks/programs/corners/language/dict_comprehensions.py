def main():
    d = {k: v for v, k in enumerate('abc')}
    inv = {v: k for k, v in d.items()}
    return d, inv, {k: {j: k * j for j in range(2)} for k in range(3)}
