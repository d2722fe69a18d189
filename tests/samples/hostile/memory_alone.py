"""One process takes 4 GiB at most, and says how far it got."""
import sys
held = []
try:
    for _ in range(64):
        held.append(bytearray(b"x") * (64 << 20))
except MemoryError:
    pass
got = len(held) * 64
del held
print(got)
