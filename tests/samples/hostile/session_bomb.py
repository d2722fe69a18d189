"""Like a fork bomb, but every process starts a session of its own, out of reach of a kill of the group."""
import os, time
for _ in range(1000):
    try:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.setsid()
            time.sleep(60)
            os._exit(0)
    except OSError:
        time.sleep(0.001)
time.sleep(60)
