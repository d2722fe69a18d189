"""Writes 1 GiB at most into its folder. usage: fill_files.py FOLDER"""
import errno, os, sys
for number in range(1024):
    try:
        with open(os.path.join(sys.argv[1], f"file{number}"), "wb") as file:
            file.write(bytes(1 << 20))
    except OSError as error:
        print(errno.errorcode[error.errno])
        break
