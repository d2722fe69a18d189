"""Makes itself root in a namespace of its own."""
import ctypes
CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000
libc = ctypes.CDLL(None)
for flags in (CLONE_NEWUSER, CLONE_NEWUSER | CLONE_NEWNS):
    print("made" if libc.unshare(flags) == 0 else "refused")
