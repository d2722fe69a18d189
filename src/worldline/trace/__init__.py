"""This folder is the nouns (Step, Trace, Program), what a value text says, and the files traces live in."""

from worldline.trace.model import EVENTS, Ending, Entry, Event, Origin, Program, SourceFile, Step, Trace

__all__ = ["EVENTS", "Ending", "Entry", "Event", "Origin", "Program", "SourceFile", "Step", "Trace"]
