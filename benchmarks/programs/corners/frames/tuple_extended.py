def change(t):
    t += (1,)
    return t
def main():
    a = (0,)
    return change(a), a
