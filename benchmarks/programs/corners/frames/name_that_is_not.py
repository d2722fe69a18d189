def main():
    try:
        undefined_name
    except NameError:
        return 1
