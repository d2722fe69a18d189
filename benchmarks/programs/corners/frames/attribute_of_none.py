def main():
    try:
        None.foo
    except AttributeError:
        return 1
