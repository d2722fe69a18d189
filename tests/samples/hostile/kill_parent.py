"""Kills its parent and a bystander, if it can, then goes on. usage: kill_parent.py BYSTANDER"""
import os, signal, sys, time
for pid in (os.getppid(), int(sys.argv[1])):
    try:
        os.kill(pid, signal.SIGKILL)
        print("killed", flush=True)
    except OSError:
        print("refused", flush=True)
time.sleep(60)
