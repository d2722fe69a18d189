"""Leaves without a word."""
import os
os._exit(7)
