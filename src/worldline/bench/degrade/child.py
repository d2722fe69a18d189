"""This file is the process inside the box that runs programs many times, each time with other errors.

It is started as `python -s -P -S -B child.py JOB.json`, and writes one capped JSON line a run into a sink
(see `record/child.py`). All runs share the process, for speed; each has a fresh namespace, its own dice and
limits on hooks, lines and time. A run that ends the process ends it for the runs after it; the judge goes on
with those in another one. Not covered: what a run leaves behind in modules it imports, threads it starts,
output that does not go through `sys.stdout`, and iterators in results, which are not asked for their items.
"""

import ast
import builtins
import hashlib
import io
import json
import os
import resource
import signal
import sys
import types
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

MAX_TEXT = 20_000  # characters of a value's text
MAX_SHOWN = 200  # of these, what crosses over; a digest stands for the rest
MAX_OUTPUT = 100_000
PLAIN = ("real", "lines", "truncation")  # kinds of runs without hooks


class _Output(io.TextIOBase):
    """What one run writes."""

    def __init__(self, overflow: Callable[[str], NoReturn]) -> None:
        self._overflow = overflow
        self._left = MAX_OUTPUT
        self.parts: list[str] = []

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._left -= len(text)
        if self._left < 0:
            self._overflow("output")
        self.parts.append(text)
        return len(text)


class _Lines:
    """Counts the lines that run, and stops when there are too many."""

    def __init__(self, path: str, budget: float, stop: Callable[[str], NoReturn]) -> None:
        self.count = 0
        self._path = path
        self._budget = budget
        self._stop = stop

    def begin(self, frame: types.FrameType, event: str, arg: Any) -> Any:
        """Follow the frames of the program."""
        return self.step if frame.f_code.co_filename == self._path else None

    def step(self, frame: types.FrameType, event: str, arg: Any) -> Any:
        """One event of such a frame."""
        if event == "line":
            self.count += 1
            if self.count > self._budget:
                self._stop("budget")
        return self.step


class Child:
    """All that the runs have in common."""

    def __init__(self, job: dict[str, Any], text: Callable[[object, int], str]) -> None:
        self._job = job
        self._text = text
        from worldline.record.child import beside

        self._hooks = beside(__file__, "hooks")
        mistakes = beside(__file__, "mistakes")
        self._mistakes = (mistakes.can_be_wrong, mistakes.wrong)
        self._places = beside(__file__, "places")
        self._codes: dict[tuple[int, bool], types.CodeType | Exception] = {}
        self._depth = sys.getrecursionlimit()

    def observe(self, spec: list[Any]) -> bytes:
        """Do one run; what it says of it is one line."""
        program, entry, kind, rate, seed, limit = spec
        dice = f"{seed} {kind} {self._job['programs'][program]['source']} {self._job['entries'][entry]}"
        hook = self._hooks.Hook(kind, rate, dice, limit, self._mistakes)
        lines = _Lines(self._job["path"], rate if kind == "truncation" else float("inf"), hook.stopped)
        output = _Output(hook.stopped)
        how, value = self._guarded(hook, lambda: self._run(spec, hook, lines, output))
        if self._job["entries"][entry]["kind"] == "script" and how == "returned":
            value = "".join(output.parts)
        if hook.stop:
            how, value = hook.stop, ""
        counts = [hook.places[name] for name in ("state", "string", "action")]
        told = {"how": how, "value": _shown(value), "places": counts, "errors": hook.errors}
        return json.dumps({**told, "visits": hook.visits, "lines": lines.count}).encode() + b"\n"

    def _guarded(self, hook: Any, run: Callable[[], object]) -> tuple[str, str]:
        """How a run ended, and with what."""
        seconds = self._job["seconds"]
        signal.signal(signal.SIGALRM, lambda *_: hook.stopped("time"))
        signal.setitimer(signal.ITIMER_REAL, seconds)
        signal.setitimer(signal.ITIMER_PROF, seconds + 2)  # for those that Python cannot interrupt
        try:
            try:
                return "returned", self._text(run(), MAX_TEXT)
            except SystemExit as error:
                code: Any = vars(SystemExit)["code"]
                return "exited", self._text(code.__get__(error), MAX_TEXT)
            except MemoryError:
                return "memory", ""
            except BaseException as error:  # noqa: BLE001 - whatever the program raised is how it ended
                sys.settrace(None)
                return "raised", self._text(error, MAX_TEXT)
            finally:
                sys.settrace(None)
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.setitimer(signal.ITIMER_PROF, 0)
        except BaseException:  # noqa: BLE001 - the alarm, just when it was to be turned off
            return "time", ""

    def _run(self, spec: list[Any], hook: Any, lines: _Lines, output: _Output) -> object:
        program, entry, kind = spec[:3]
        start = self._job["entries"][entry]
        self._prepare(start, output)
        code = self._code(program, kind not in PLAIN)
        if isinstance(code, Exception):
            raise code
        vars(builtins)[self._job["programs"][program]["hook"]] = hook
        name = "__main__" if start["kind"] == "script" else "program"
        module = types.ModuleType(name)
        module.__file__ = self._job["path"]
        sys.modules[name] = module
        if start["kind"] != "script":
            exec(code, module.__dict__)
            text = start["text"] if start["kind"] == "call" else f"{start['text']}()"
            code = compile(text, "<call>", "eval", dont_inherit=True)
        hook.is_on = True
        if kind in ("lines", "truncation"):
            sys.settrace(lines.begin)
        return eval(code, module.__dict__)

    def _prepare(self, start: dict[str, Any], output: _Output) -> None:
        sys.setrecursionlimit(self._depth)
        sys.stdin = io.StringIO(start["stdin"])
        sys.stdout = output
        sys.stderr = _Output(output._overflow)
        sys.argv = [self._job["path"], *start["args"]]
        if "random" in sys.modules:
            sys.modules["random"].seed(0)

    def _code(self, program: int, is_hooked: bool) -> types.CodeType | Exception:
        """The code of a program, or why there is none."""
        key = (program, is_hooked)
        if key not in self._codes:
            described, path = self._job["programs"][program], self._job["path"]
            try:
                tree = ast.parse(described["source"], path)
                if is_hooked:
                    tree = self._places.instrument(tree, described["hook"])
                self._codes[key] = compile(tree, path, "exec", dont_inherit=True)
            except Exception as error:  # noqa: BLE001 - each run will raise it
                self._codes[key] = error
        return self._codes[key]


def _shown(text: str) -> str:
    """A bounded text that differs where the whole one does."""
    if len(text) <= MAX_SHOWN:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]
    return f"{text[:MAX_SHOWN]}…{digest}"


def main(job_path: str) -> NoReturn:
    """Do the job."""
    with open(job_path, encoding="utf-8") as file:
        job = json.load(file)
    standard = list(sys.path)
    sys.path.insert(0, job["package"])
    from worldline.record.child import open_sink
    from worldline.record.sink import Sink
    from worldline.record.values import text

    sink = Sink(open_sink(job["sink"]), 0)
    child = Child(job, text)
    sink.put(b'"ready"\n')
    sys.path[:] = [*standard, *job["installed"]]
    sys.dont_write_bytecode = True
    with suppress(OSError, ValueError):  # not every level lets us
        resource.setrlimit(resource.RLIMIT_AS, (job["memory"] // 2, job["memory"] // 2))
    for spec in job["runs"]:
        sink.put(child.observe(spec))
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
