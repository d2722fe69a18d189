"""Prints what it can read of the files named."""
import sys
for path in sys.argv[1:]:
    try:
        with open(path, errors="replace") as file:
            print(file.read())
    except OSError:
        print("refused")
