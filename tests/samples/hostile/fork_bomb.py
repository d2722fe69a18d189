"""Forks until 2000 times or refused, and keeps trying; nobody leaves."""
import os, time
for _ in range(2000):
    try:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
    except OSError:
        time.sleep(0.001)
time.sleep(60)
