def main():
    try:
        'a' + 1
    except TypeError:
        return 1
