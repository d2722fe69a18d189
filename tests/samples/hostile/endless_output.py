"""Writes 256 MiB at most, to both streams in turn."""
import os
for number in range(4096):
    os.write(1 + number % 2, b"x" * 65536)
