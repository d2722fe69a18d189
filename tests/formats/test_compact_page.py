"""The prompt of `compact`, and that its page in the docs is true."""

from dataclasses import replace
from pathlib import Path

from formats.program_strategies import recorded
from worldline.formats.compact import COMPACT
from worldline.trace.model import Entry, Program, SourceFile


def test_the_prompt_has_all_that_a_trace_hangs_on():
    entry = Entry("call", "f(1)", stdin="in\n")
    program = Program("def f(x):\n    return x\n", entry, files=(SourceFile("other.py", "y = 1"),))
    assert COMPACT.prompt(program) == (
        "1 def f(x):\n2     return x\nfile other.py\n1 y = 1\ncall: f(1)\ninput: 'in\\n'\ntrace:\n"
    )
    script = replace(program, entry=Entry("script", args=("-v", "a b")), files=())
    assert COMPACT.prompt(script).endswith("\narguments: '-v' 'a b'\ntrace:\n")


def test_the_documented_example_is_true():
    page = (Path(__file__).parents[2] / "docs" / "reference" / "format-compact.md").read_text(
        encoding="utf-8"
    )
    source = page.partition("```python\n")[2].partition("```")[0]
    text = page.partition("```text\n")[2].partition("```")[0]
    assert COMPACT.encode(recorded(source)) == text
