"""This file is for tests that interrupt a process of theirs: a shell in the background has it ignored."""

import signal


def heed_interrupts() -> None:
    """Take an interrupt as usual; for `preexec_fn`."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
