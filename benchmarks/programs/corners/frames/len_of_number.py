def main():
    try:
        len(5)
    except TypeError:
        return 't'
