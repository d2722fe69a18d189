"""How a program ends can be read off its steps: what was recorded beside them says the same."""

from pathlib import Path
from textwrap import dedent, indent

import pytest

from worldline.record import Limits, Options, record_file
from worldline.trace.ending import ending_of
from worldline.trace.model import Ending, Step

OTHERS = ("exit_codes", "leaving", "stopping")  # two exit, one ends its recording before it ends itself
FOLDER = Path(__file__).parents[1] / "samples" / "hazards"
HAZARDS = [path for path in sorted(FOLDER.glob("*.py")) if path.stem not in OTHERS]


@pytest.mark.parametrize("path", HAZARDS, ids=lambda path: path.stem)
def test_on_every_hazard(path: Path) -> None:
    trace = record_file(path, options=Options(max_value=None), limits=Limits(seconds=60))
    assert ending_of(trace.steps, trace.program.source) == trace.ending


def test_a_generator_that_is_closed_after_the_end_is_not_the_end() -> None:
    entry = [Step("call", 1, {}, frame=0), Step("return", 2, {}, "7", frame=0)]
    left = "(<class 'GeneratorExit'>, GeneratorExit(), <traceback object>)"
    closed = [Step("exception", 5, {}, left, 1, frame=1), Step("return", 5, {}, "None", 1, frame=1)]
    assert ending_of(entry + closed) == Ending("returned", "7")


OUT = {
    "not taken": "except ValueError:\n        return 2",
    "not taken, in one line": "except ValueError: pass",
    "not taken, in two lines": "except (ValueError,\n            TypeError):\n        return 2",
    "again": "except KeyError:\n        raise",
    "again after another": "except KeyError:\n        try:\n            int('a')\n"
    "        except ValueError:\n            x = 1\n        raise",
    "taken": "except KeyError: pass",
    "taken below": "except KeyError:\n        x = 1",
    "finally": "finally:\n        x = 1\n        y = 2",
    "finally returns": "finally:\n        return None",
    "finally has its own": "finally:\n        try:\n            int('a')\n        except ValueError:\n"
    "            x = 1",
    "both": "except KeyError:\n        x = 0\n    finally:\n        x = 1",
    "neither": "except ValueError:\n        x = 0\n    finally:\n        x = 1",
    "again, finally": "except KeyError:\n        raise\n    finally:\n        x = 1",
    "other": "except KeyError as error:\n        raise ValueError from error",
}
AROUND = {
    "": "{}",
    "finally": "try:\n{}\nfinally:\n    z = 1",
    "loop": "for i in [1]:\n{}",
    "loop that is left": "for i in [1]:\n    try:\n    {}\n    finally:\n        break",
    "with": "with Not():\n{}",
    "with that takes it": "with Taken():\n{}",
}
WITHS = "".join(
    f"class {name}:\n    def __enter__(self):\n        pass\n\n"
    f"    def __exit__(self, *about):\n        return {is_taken}\n\n\n"
    for name, is_taken in (("Not", False), ("Taken", True))
)


def made(text: str, around: str) -> str:
    """The text as the body of `main`, inside of something."""
    inner = f"try:\n    raise KeyError(1)\n{dedent('    ' + text)}"
    body = "\n".join(
        indent(inner, line[: len(line) - 2] + "    " * (around != "{}")) if line.endswith("{}") else line
        for line in around.split("\n")
    )
    return f"{WITHS}def main():\n{indent(body, '    ')}\n"


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("text", OUT.values(), ids=OUT)
def test_what_passes_out_is_seen_whoever_looked_at_it(text: str, around: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(made(text, around))
    trace = record_file(tmp_path / "program.py", options=Options(max_value=None))
    assert ending_of(trace.steps, trace.program.source) == trace.ending


def test_without_a_text_it_is_seen_if_nobody_looked_at_it() -> None:
    steps = [Step("call", 1, {}), Step("exception", 2, {}, "KeyError(1)"), Step("return", 2, {}, "None")]
    assert ending_of(steps) == ending_of(steps, "def f(:") == Ending("raised", "KeyError(1)")


def test_of_no_steps_nothing_is_known() -> None:
    assert ending_of([]) == Ending("returned")
