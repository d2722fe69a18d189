"""Starts up to 500 threads that stay."""
import _thread, time
for _ in range(500):
    try:
        _thread.start_new_thread(time.sleep, (60,))
    except RuntimeError:
        time.sleep(0.001)
time.sleep(60)
