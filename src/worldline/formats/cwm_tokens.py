"""This file is the special tokens of the format `cwm`, with the ids they have in CWM's vocabulary."""

from typing import Final

from worldline.trace.model import Event

BEGIN_OF_TEXT: Final = "<|begin_of_text|>"
END_OF_TEXT: Final = "<|end_of_text|>"
FRAME: Final = "<|frame_sep|>"
ACTION: Final = "<|action_sep|>"
ARGUMENT: Final = "<|arg_sep|>"
CONTEXT: Final = "<|trace_context_start|>"

EVENT_TOKENS: Final[dict[Event, str]] = {
    "call": "<|call_sep|>",
    "line": "<|line_sep|>",
    "return": "<|return_sep|>",
    "exception": "<|exception_sep|>",
}

SPECIAL_TOKENS: Final[dict[str, int]] = {
    BEGIN_OF_TEXT: 128000,
    END_OF_TEXT: 128001,  # the entry's scope was left
    FRAME: 128100,  # ends the context and every frame
    ACTION: 128101,  # the source line follows
    EVENT_TOKENS["return"]: 128102,
    EVENT_TOKENS["call"]: 128103,
    EVENT_TOKENS["line"]: 128104,
    EVENT_TOKENS["exception"]: 128105,
    ARGUMENT: 128106,  # what was returned or raised follows
    CONTEXT: 128107,  # the program follows
}

UNCHANGED: Final = ".."
"""Stands for a value that is as in the frame before."""
