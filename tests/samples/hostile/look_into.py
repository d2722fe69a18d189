"""Attaches to another process, and opens its memory. usage: look_into.py PROCESS"""
import ctypes, sys
victim = int(sys.argv[1])
PTRACE_SEIZE = 0x4206
print("seized" if ctypes.CDLL(None).ptrace(PTRACE_SEIZE, victim, 0, 0) == 0 else "refused")
try:
    open(f"/proc/{victim}/mem", "rb").close()
    print("opened")
except OSError:
    print("refused")
