"""Eight processes, each just below the limit of one: 4 GiB together at most."""
import os, time
for _ in range(8):
    if os.fork() == 0:
        held = bytearray(b"x") * (512 << 20)
        time.sleep(60)
        os._exit(0)
time.sleep(60)
