"""This file makes a program that nobody here wrote: the standard library's `bisect` keeps a shelf in order.

python examples/library.py runs/shelf.py
"""

import ast
import bisect
import sys
from pathlib import Path

WANTED = ("insort_right", "bisect_right")
MAIN = """\
def main():  # << START_OF_TRACE
    shelf = []
    for book in ["Solaris", "Dune", "Ubik", "Emma", "Dracula"]:
        insort_right(shelf, book)
    return shelf
"""


def main() -> None:
    """Write the functions as the library has them, and a main that uses them."""
    source = Path(bisect.__file__).read_text(encoding="utf-8")
    found = [
        ast.get_source_segment(source, node) or ""
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and node.name in WANTED
    ]
    Path(sys.argv[1]).write_text("\n\n\n".join([*found, MAIN]), encoding="utf-8")


if __name__ == "__main__":
    main()
