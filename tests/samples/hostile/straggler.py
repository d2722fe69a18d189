"""Leaves a daemon behind: forked twice, in a session of its own, with nothing open."""
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 65536)
        time.sleep(60)
    os._exit(0)
os.wait()
