"""This file is `python -m worldline.cli`, the same as the command `worldline`."""

from worldline.cli import main

main()
