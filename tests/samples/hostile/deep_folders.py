"""Makes folders with long names, each in the one before: no path reaches the last."""
import os
for _ in range(60):
    os.mkdir("f" * 200)
    os.chdir("f" * 200)
