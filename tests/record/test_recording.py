"""Programs go into a box, traces come out: every entry, every limit, and what a hostile one can do."""

import json
from pathlib import Path
from textwrap import indent

import pytest

from worldline.errors import UserError
from worldline.record import Limits, Options, record, record_file
from worldline.record.entry import MARKER, call_entry, find_entry
from worldline.trace.model import Ending, Entry, Program
from worldline.trace.value import type_of


def run(source: str, call: str = "", options: Options | None = None, limits: Limits | None = None, **entry):
    start = call_entry(source, "p.py", call) if call else find_entry(source, "p.py", **entry)
    return record(Program(source, start, "p.py"), options, limits)


def line_of(source: str, marker: str) -> int:
    return next(number for number, line in enumerate(source.splitlines(), 1) if f"# @{marker}" in line)


def test_a_call_is_recorded_from_its_first_to_its_last_event():
    source = "def f(a, b):\n    c = a + b  # @sum\n    return c  # @back\n"
    trace = run(source, "f(1, b=2)").trace
    assert [step.event for step in trace.steps] == ["call", "line", "line", "return"]
    assert trace.steps[1].line == line_of(source, "sum")
    assert dict(trace.steps[2].locals) == {"a": "1", "b": "2", "c": "3"}
    assert (trace.ending.kind, trace.ending.value) == ("returned", "3")


def test_a_mark_of_byte_order_is_no_part_of_a_program(tmp_path: Path):
    (tmp_path / "a.py").write_bytes(b"\xef\xbb\xbfdef main():\n    return 7\n")
    assert record_file(tmp_path / "a.py").ending == Ending("returned", "7")


def test_the_marked_function_comes_before_main_and_the_script():
    marked = f"def go():  {MARKER}\n    return 1\n"
    main = "def main():\n    return 2\n"
    assert run(marked + main).ending.value == "1"
    assert run(main).ending.value == "2"
    assert run("x = 5\n").trace.steps[-1].locals == {"x": "5"}


def test_a_script_has_arguments_and_input():
    source = "import sys\nname = input()\nargs = sys.argv[1:]\nprint(name, args, __name__)\n"
    trace = run(source, args=("--size", "3"), stdin="Ada\n").trace
    assert "".join(step.output for step in trace.steps) == "Ada ['--size', '3'] __main__\n"


def test_output_belongs_to_the_step_that_wrote_it():
    source = "def main():\n    print('a')  # @a\n    x = 1\n    import sys\n    sys.stderr.write('b')  # @b\n"
    told = {step.line: step.output for step in run(source).trace.steps if step.output}
    assert told == {line_of(source, "a"): "a\n", line_of(source, "b"): "b"}


def test_what_is_raised_is_the_ending():
    recording = run("def f():\n    raise KeyError('k')\n", "f()")
    assert (recording.ending.kind, recording.ending.value) == ("raised", "KeyError('k')")
    assert recording.trace.steps[-2].value == "(<class 'KeyError'>, KeyError('k'), <traceback object>)"
    assert run("import sys\nsys.exit(3)\n").ending.kind == "exited"


def test_only_the_users_files_are_stepped_into(tmp_path: Path):
    (tmp_path / "near.py").write_text("def twice(n):\n    return n * 2\n")
    program = tmp_path / "prog.py"
    program.write_text(
        "import json\nfrom near import twice\n\ndef main():\n    return json.loads(str(twice(4)))\n"
    )
    trace = record_file(program)
    assert {step.function for step in trace.steps} == {"main", "twice"}
    assert {trace.program.path_of(step.file) for step in trace.steps} == {str(program), "near.py"}
    assert trace.program.files[0].source == (tmp_path / "near.py").read_text()


def test_a_test_of_the_users_own_code(tmp_path: Path):
    source = """
import pytest

@pytest.fixture
def three():
    return 3

@pytest.mark.parametrize("n", [1, 2])
def test_sum(three, n):
    total = three + n
    assert total == 4
"""
    (tmp_path / "test_x.py").write_text(source)
    for parameter, ending in (("1", "returned"), ("2", "raised")):
        entry = Entry("test", f"{tmp_path}/test_x.py::test_sum[{parameter}]")
        program = Program(source, entry, str(tmp_path / "test_x.py"))
        recording = record(program, roots=(tmp_path,), limits=Limits(seconds=60))
        assert recording.ending.kind == ending, recording.ending
        assert recording.trace.steps[0].function == "test_sum"
        assert recording.trace.steps[0].locals == {"three": "3", "n": parameter}


LIMITED = {
    "steps": ("def main():\n    while True:\n        x = 1\n", Options(max_steps=50), Limits()),
    "time": ("import time\ndef main():\n    x = 1\n    time.sleep(60)\n", None, Limits(seconds=5)),
    "output": (
        "def main():\n    while True:\n        print('x' * 100)\n",
        Options(max_output=5000),
        Limits(),
    ),
    "memory": ("def main():\n    x = bytearray(1 << 33)\n", None, Limits()),
    "size": (
        "def main():\n    s = ''\n    while True:\n        s += 'x' * 999\n",
        Options(max_bytes=1 << 18),
        Limits(),
    ),
    "crashed": ("import os\ndef main():\n    x = 1\n    os._exit(0)\n", None, Limits()),
}


@pytest.mark.parametrize("kind", LIMITED)
def test_each_limit_has_its_own_verdict_and_keeps_the_steps_before_it(kind):
    source, options, limits = LIMITED[kind]
    recording = run(source, options=options, limits=limits)
    assert recording.ending.kind == kind, recording.ending
    assert recording.trace.steps[0].event == "call"
    assert len(recording.trace.steps) == recording.steps >= 2
    if kind == "steps":
        assert recording.steps == 50
    if kind == "time":
        assert recording.trace.steps[-1].locals == {"x": "1"}


def test_values_are_bounded_and_the_cut_is_marked():
    trace = run("def main():\n    x = list(range(1000))\n    return 1\n", options=Options(max_value=30)).trace
    assert trace.steps[-1].locals["x"] == "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9,…<list of 1000>"
    assert type_of(trace.steps[-1].locals["x"]) == "list"


BAD_REPR = """
class Bad:
    count = 0
    def __init__(self):
        self.size = 3
    def __repr__(self):
        Bad.count += 1
        {body}
def main():
    b = Bad()
    x = 1
    return Bad.count
"""


def test_the_programs_own_repr_is_not_run_unless_asked_for():
    source = BAD_REPR.format(body="return 'mine'")
    plain, asked = run(source), run(source, options=Options(user_repr=True))
    assert plain.ending.value == "0"
    assert plain.trace.steps[-1].locals["b"] == "<Bad size=3>"
    assert asked.trace.steps[-1].locals["b"] == "mine"


@pytest.mark.parametrize(
    ("body", "shown"),
    [("raise ValueError", "<Bad repr failed: ValueError>"), ("while True: pass", "<Bad repr endless>")],
)
def test_a_raising_or_endless_repr_never_reaches_the_program(body, shown):
    recording = run(BAD_REPR.format(body=body), options=Options(user_repr=True), limits=Limits(seconds=30))
    assert recording.ending.kind == "returned"
    assert recording.trace.steps[-1].locals["b"] == shown


def test_recording_twice_gives_the_same_bytes():
    source = """
class A: pass
def main():
    s = {A(), A()}
    t = {"a", "b", "c"}
    f = main
    return hash("x"), t
"""
    first, second = run(source), run(source)
    assert first.body == second.body
    assert first.ending == second.ending


def test_threads_are_recorded_each_by_number():
    source = """
import threading
def work(n):
    return n + 1
def main():
    for n in range(2):
        t = threading.Thread(target=work, args=(n,))
        t.start()
        t.join()
"""
    trace = run(source).trace
    assert {(step.thread, step.depth) for step in trace.steps if step.function == "work"} == {(1, 0), (2, 0)}


FAKE = 'fake = b\'{"end":"returned","value":"42"}\\n\''
FORGERIES = {
    "stdout": "os.write(1, fake)",
    "every descriptor": """
for fd in range(3, 256):
    try: os.write(fd, fake)
    except OSError: pass""",
    "closing all": "os.closerange(0, 256)",
    "the sink by its path": """
for arg in open("/proc/self/cmdline").read().split(chr(0)):
    if arg.endswith("job.json"):
        try: open(json.load(open(arg))["sink"], "r+b").write(fake)
        except OSError: pass""",
}


@pytest.mark.parametrize("way", FORGERIES)
def test_a_program_that_forges_its_result_is_not_believed(way):
    body = indent(f"import os, json\n{FAKE}\n{FORGERIES[way]}\nos._exit(0)\n", "    ")
    recording = run(f"def main():\n{body}")
    assert (recording.ending.kind, recording.ending.value) == ("crashed", None)
    assert recording.trace.steps[0].function == "main"


def test_a_program_that_writes_nonsense_over_its_trace_harms_only_itself():
    source = """
import gc, mmap
def main():
    maps = [m for m in gc.get_referrers(mmap.mmap) if type(m) is mmap.mmap]
    holders = [r for r in gc.get_objects() if type(r).__name__ == "Sink"]
    for holder in holders:
        holder._target[:40] = b"}" * 40
    return len(holders)
"""
    recording = run(source, options=Options(engine="python"))
    assert recording.ending.value == "1"  # it did find its own record
    assert recording.trace.steps == ()
    assert "not JSON" in recording.trace.ending.detail


@pytest.mark.parametrize(
    ("source", "call", "word"),
    [
        ("def f(:\n", "f()", "line 1"),
        ("def f(): pass\n", "f(", "--call"),
        (f"def a(): {MARKER}\n    pass\ndef b(): {MARKER}\n    pass\n", "", "second"),
        (f"def a(n): {MARKER}\n    pass\n", "", "needs arguments"),
    ],
)
def test_bad_input_is_one_clear_line(source, call, word):
    with pytest.raises(UserError) as caught:
        run(source, call)
    assert word in caught.value.what
    assert caught.value.hint


def test_a_recording_is_a_file_that_reads_back(tmp_path: Path):
    from worldline.trace import jsonl

    recording = run("def main():\n    x = 'é\\n'\n    return x\n")
    recording.write(tmp_path / "t.jsonl")
    assert jsonl.read(tmp_path / "t.jsonl") == recording.trace
    assert json.loads((tmp_path / "t.jsonl").read_text().splitlines()[0])["origin"]["isolation"] == "process"
