"""This folder is benchmarks: sets of problems, how an answer is scored, and runs that can be gone on with."""
