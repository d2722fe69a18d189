"""Stops its parent, if it can, so that nobody is there to end it, then goes on in a session of its own."""
import os, signal, time
try:
    os.kill(os.getppid(), signal.SIGSTOP)
except OSError:
    pass
if os.fork() == 0:
    os.setsid()
time.sleep(60)
