"""Makes 2,000 empty files and a folder that nobody may enter. usage: many_files.py FOLDER"""
import os, sys
os.mkdir(os.path.join(sys.argv[1], "closed"), 0)
for number in range(2_000):
    os.close(os.open(os.path.join(sys.argv[1], f"file{number}"), os.O_CREAT))
