"""Overflows the C stack: hashing a nested tuple recurses, and the interpreter does not count it."""
nested = ()
for _ in range(10**6):
    nested = (nested,)
hash(nested)
