"""This folder is microcode: Python's methods, built-ins and operators as functions of atomic statements.

A statement of microcode indexes, compares, counts, appends one item or one character, and nothing else, so
that a trace through it hides nothing. `str_find` is `str.find`, `builtin_sorted` is `sorted`; which file a
function stands in only serves the reader. The functions are read as text (`library.py`), never imported: a
rewritten program carries those it uses. Arguments of a type that a function does not treat go to the real
method at once: its *fallback*.
"""
