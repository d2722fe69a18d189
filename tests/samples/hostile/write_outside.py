"""Writes wherever it is told. usage: write_outside.py PATH..."""
import sys
for path in sys.argv[1:]:
    try:
        with open(path, "w") as file:
            file.write("hostile")
    except OSError:
        print("refused")
