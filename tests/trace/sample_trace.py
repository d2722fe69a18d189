"""This file is a small trace with something in every field."""

from worldline.trace.model import Ending, Entry, Origin, Program, SourceFile, Step, Trace

TRACE = Trace(
    Program("def f(x):\n    return x", Entry("call", "f(1)"), files=(SourceFile("other.py", "y = 2"),)),
    (
        Step("call", 1, {"x": "1"}, function="f"),
        Step("line", 2, {"x": "1"}, function="f", output="hello\n"),
        Step("line", 1, {"y": "'é'"}, function="g", frame=1, depth=1, file=1, shared=(("y", "z"),)),
        Step("return", 2, {"x": "1"}, value="1", function="f"),
    ),
    Ending("returned", "1"),
    Origin("recorded", "a test", "3.11.7", "process", {"fold": True}),
)
