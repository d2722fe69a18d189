def safe_div(a, b):
    try:
        return a // b
    except ZeroDivisionError:
        return None
    finally:
        pass


def main():
    return safe_div(7, 2), safe_div(1, 0)
