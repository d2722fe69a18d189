"""This file is the process inside the box: it loads the program, records it, and says how it ended.

It is started as `python -s -P -S -B child.py JOB.json`. The job names the sink, a file of full size that is
mapped and then unlinked: from there on the program has no name and no descriptor of it. Everything the judge
learns comes from there. What a hostile program can still do is to falsify its own trace (it shares this
process's memory); it cannot touch the judge, which reads the sink as untrusted, capped JSON lines.
"""

import json
import mmap
import os
import sys
import threading
import types
from collections.abc import Callable
from contextlib import suppress
from io import RawIOBase, TextIOBase
from typing import Any, NoReturn

PROGRAM_MODULE = "program"


class Run:
    """One recording in this process."""

    def __init__(self, job: dict[str, Any], sink: mmap.mmap) -> None:
        from worldline.record.engine import FactsFinder, recorder
        from worldline.record.options import Options, Scope

        self.job = job
        self.options = Options(**job["options"])
        self.written = 0
        scope = Scope((job["path"],), tuple(job["roots"]))
        finder = FactsFinder(scope, (job["source"],), self.options.fold, self.new_file)
        self.recorder = recorder(self.options, finder, sink, self.limit)

    def new_file(self, path: str, source: str) -> None:
        """Tell of a further file of the user's, by its path from the program."""
        self.put({"path": os.path.relpath(path, os.path.dirname(self.job["path"])), "source": source})

    def put(self, record: dict[str, Any]) -> None:
        """Write a record that is no step."""
        self.recorder.put(json.dumps(record, separators=(",", ":")).encode() + b"\n")

    def limit(self, kind: str) -> NoReturn:
        """Stop here: a limit that this process watches itself was met."""
        self.finish(kind, None)

    def finish(self, kind: str, value: str | None) -> NoReturn:
        """Write how it ended and leave, without running any more of the program's code."""
        self.recorder.stop()
        self.put({"end": kind, "value": value})
        os._exit(0)

    def output(self, written: str) -> None:
        """The program wrote something."""
        self.written += len(written.encode("utf-8", "surrogatepass"))
        self.recorder.output(written)
        if self.written > self.options.max_output:
            self.limit("output")

    def execute(self) -> NoReturn:
        """Run the program to its end, recording it."""
        from worldline.record.values import text

        try:
            result = _ENTRIES[self.job["entry"]["kind"]](self)
        except SystemExit as error:
            descriptor: Any = vars(SystemExit)["code"]  # not a property of that name of the program's own
            self.finish("exited", text(descriptor.__get__(error), self.options.max_value))
        except MemoryError:
            self.finish("memory", None)
        except BaseException as error:  # noqa: BLE001 - whatever the program raised is how it ended
            self.recorder.stop()
            self.finish("raised", text(error, self.options.max_value, self.options.user_repr))
        self.finish("returned", text(result, self.options.max_value, self.options.user_repr))

    def recorded(self, function: Callable[[], object]) -> object:
        """Call `function` with the recorder on, until all its threads have ended."""
        self.recorder.start()
        try:
            result = function()
            for thread in threading.enumerate():
                if thread is not threading.current_thread() and not thread.daemon:
                    thread.join()
            return result
        finally:
            self.recorder.stop()

    def module(self, name: str) -> tuple[types.ModuleType, types.CodeType]:
        """A fresh module for the program, and its code."""
        module = types.ModuleType(name)
        module.__file__ = self.job["path"]
        sys.modules[name] = module
        return module, compile(self.job["source"], self.job["path"], "exec", dont_inherit=True)


def _run_function(run: Run) -> object:
    module, code = run.module(PROGRAM_MODULE)
    exec(code, module.__dict__)
    return run.recorded(getattr(module, run.job["entry"]["text"]))


def _run_call(run: Run) -> object:
    module, code = run.module(PROGRAM_MODULE)
    exec(code, module.__dict__)
    expression = compile(run.job["entry"]["text"], "<call>", "eval", dont_inherit=True)
    return run.recorded(lambda: eval(expression, module.__dict__))


def _run_script(run: Run) -> object:
    module, code = run.module("__main__")
    return run.recorded(lambda: exec(code, module.__dict__))


def _run_test(run: Run) -> object:
    from worldline.record.pytest_entry import run_test

    return run_test(run.job["entry"]["text"], run.recorded)


_ENTRIES: dict[str, Callable[[Run], object]] = {
    "function": _run_function,
    "call": _run_call,
    "script": _run_script,
    "test": _run_test,
}


class _Bytes(RawIOBase):
    """`sys.stdout.buffer`: bytes are output, too."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        written = bytes(data)
        self._run.output(written.decode("utf-8", "replace"))
        return len(written)


class Output(TextIOBase):
    """`sys.stdout` and `sys.stderr` of the program: what is written goes to the running step."""

    encoding = "utf-8"
    errors = "strict"

    def __init__(self, run: Run, descriptor: int) -> None:
        self._run = run
        self._descriptor = descriptor
        self.buffer = _Bytes(run)

    def writable(self) -> bool:
        """Always."""
        return True

    def fileno(self) -> int:
        """The descriptor that C code would write to; its text is not attached to a step."""
        return self._descriptor

    def write(self, text: str) -> int:
        """Attach the text to the running step."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._run.output(text)
        return len(text)


def open_sink(path: str) -> mmap.mmap:
    """Map the sink and take its name away."""
    descriptor = os.open(path, os.O_RDWR)
    sink = mmap.mmap(descriptor, 0)
    wanted = os.fstat(descriptor)
    for number in map(int, os.listdir("/proc/self/fd")):  # the map itself keeps a copy of the descriptor
        with suppress(OSError):
            if os.path.samestat(os.fstat(number), wanted):
                os.close(number)
    os.unlink(path)
    return sink


def beside(path: str, name: str) -> Any:
    """A file beside another one as a module: to import its package would load all of the judge."""
    from importlib.util import module_from_spec, spec_from_file_location

    folder = os.path.dirname(os.path.abspath(path))
    spec: Any = spec_from_file_location(f"worldline_child_{name}", os.path.join(folder, f"{name}.py"))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(job_path: str) -> NoReturn:
    """Do the job."""
    with open(job_path, encoding="utf-8") as file:
        job = json.load(file)
    standard = list(sys.path)
    sys.path.insert(0, job["package"])
    run = Run(job, open_sink(job["sink"]))
    sys.path[:] = [*job["roots"], *standard, *job["installed"]]
    sys.argv = [job["path"], *job["entry"]["args"]]
    sys.stdout, sys.stderr = Output(run, 1), Output(run, 2)
    sys.dont_write_bytecode = True
    run.execute()


if __name__ == "__main__":
    main(sys.argv[1])
