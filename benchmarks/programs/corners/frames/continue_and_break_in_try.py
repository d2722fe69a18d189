def f():
    for i in range(3):
        try:
            if i == 1:
                continue
            if i == 2:
                break
        except ValueError:
            pass
    return i
def main():
    return f()
