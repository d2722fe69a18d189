"""This file is the process inside the box that runs one program on many calls, and says what each did.

It is started as `python -s -P -S -B check_child.py JOB.json`. Every call runs in a fork of its own, on a
namespace of its own: no call can spoil the next one, and one that does not end is killed alone. What it says
is believed no more than what the recorder's process says (`record/child.py`): capped JSON lines in a sink.
Not covered: output that does not go through `sys.stdout` and `sys.stderr`; what a program has written before
it left through `os._exit`.
"""

import ast
import gc
import io
import json
import os
import resource
import select
import signal
import sys
import time
import types
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

_LINE = 60_000  # bytes of one observation, at most
_LATE, _UNASKED = b'{"how":"time"}\n', b'{"how":"unasked"}\n'
_KEEP = "__worldline_call__"  # stands for the call itself, to see its arguments


class _Raw(io.RawIOBase):
    """Where the bytes of one stream go."""

    def __init__(self, put: Callable[[str, bytes], None], name: str) -> None:
        self._put = put
        self._name = name

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return {"stdout": 1, "stderr": 2}[self._name]

    def write(self, data: Any) -> int:
        written = bytes(data)
        self._put(self._name, written)
        return len(written)


class _Output:
    """What a program writes, in order; a change of the stream is marked."""

    def __init__(self, cap: int, overflow: Callable[[], None]) -> None:
        self._parts: list[bytes] = []
        self._left = cap
        self._overflow = overflow
        self._last = "stdout"
        self.is_on = True
        sys.stdout = self._stream("stdout", "strict")
        sys.stderr = self._stream("stderr", "backslashreplace")

    def _stream(self, name: str, errors: str) -> io.TextIOWrapper:
        raw: Any = _Raw(self._put, name)
        return io.TextIOWrapper(raw, "utf-8", errors, newline="\n", write_through=True)

    def _put(self, name: str, data: bytes) -> None:
        if not self.is_on or not data:
            return
        if name != self._last:
            self._parts.append(f"[{name}]".encode())
            self._last = name
        self._parts.append(data[: self._left])
        self._left -= len(data)
        if self._left < 0:
            self._overflow()

    def taken(self) -> str:
        """What was written since this was asked for last."""
        text = b"".join(self._parts).decode("utf-8", "replace")
        self._parts.clear()
        return text


class _Run:
    """One call, in a fork of its own; it never returns from `observe`."""

    def __init__(
        self, job: dict[str, Any], canonical: Any, code: types.CodeType | Exception, pipe: int
    ) -> None:
        self._job = job
        self._canonical = canonical  # the module check_values
        self._code = code
        self._pipe = pipe
        self._started = time.perf_counter()
        self._arguments: list[object] = []
        self._output = _Output(job["max_output"], self._overflow)

    def observe(self, text: str) -> NoReturn:
        """Run it and say what it did."""
        canonical = self._canonical
        self._prepare()
        how, value, result = "returned", "", None
        try:
            result = _ENTRIES[self._job["entry"]["kind"]](self, text)
            self._join()
        except SystemExit as error:
            how, value = "exited", canonical.Text().add(vars(SystemExit)["code"].__get__(error))
        except MemoryError:
            self._tell("memory")
        except BaseException as error:  # noqa: BLE001 - whatever the program raised is how it ended
            how, value = "raised", canonical.failure(error)
        seconds = time.perf_counter() - self._started
        told = {"output": self._output.taken()}
        try:
            told["arguments"] = canonical.Text(drains=False).add(self._arguments)
            told["sharing"] = canonical.Text(drains=False).add((self._arguments, result))
            told["value"] = canonical.Text().add(result) if how == "returned" else value
            told["late"] = self._output.taken()
            told["after"] = canonical.Text().add(self._arguments)
        except MemoryError:
            self._tell("memory")
        except BaseException as error:  # noqa: BLE001 - an object that even looking at is too much for
            self._tell("unseen", told={"value": canonical.shown(canonical.failure(error))})
        self._tell(how, seconds, {key: canonical.shown(said) for key, said in told.items()})

    def _prepare(self) -> None:
        job = self._job
        half = job["memory"] // 2  # or all of the box would be stopped for this one call
        with suppress(OSError, ValueError):  # not every level lets us
            resource.setrlimit(resource.RLIMIT_AS, (half, half))
        data: Any = io.BytesIO(job["entry"]["stdin"].encode("utf-8", "surrogatepass"))
        sys.stdin = io.TextIOWrapper(data, "utf-8")
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(nowhere, descriptor)
        sys.setrecursionlimit(job["depth"])
        if "random" in sys.modules:
            sys.modules["random"].seed(0)

    def _join(self) -> None:
        threading = sys.modules.get("threading")
        if threading is not None:
            for thread in threading.enumerate():
                if thread is not threading.current_thread() and not thread.daemon:
                    thread.join()

    def _overflow(self) -> None:
        self._tell("output", told={"output": self._canonical.shown(self._output.taken())})

    def _tell(self, how: str, seconds: float = 0.0, told: dict[str, str] | None = None) -> NoReturn:
        line = json.dumps({"how": how, "seconds": seconds, **(told or {})}).encode() + b"\n"
        while line:
            line = line[os.write(self._pipe, line) :]
        os._exit(0)

    def _module(self, name: str) -> dict[str, Any]:
        """The names of a fresh module; nothing of the program has run in it yet."""
        module = types.ModuleType(name)
        module.__file__ = self._job["path"]
        sys.modules[name] = module
        return module.__dict__

    def _loaded(self, name: str) -> dict[str, Any]:
        if isinstance(self._code, Exception):
            raise self._code
        names = self._module(name)
        exec(self._code, names)
        return names

    def call(self, text: str) -> object:
        """Evaluate the call; its arguments are kept."""
        names = self._loaded("program")
        tree = ast.parse(text, "<call>", "eval")
        if isinstance(tree.body, ast.Call):
            tree.body.args.insert(0, tree.body.func)
            tree.body.func = ast.copy_location(ast.Name(_KEEP, ast.Load()), tree.body)
        return eval(compile(tree, "<call>", "eval", dont_inherit=True), names, {_KEEP: self._keep})

    def _keep(self, function: Any, /, *args: Any, **named: Any) -> object:
        self._arguments = [*args, *named.values()]
        if type(function) is types.MethodType:
            self._arguments.append(function.__self__)
        return function(*args, **named)

    def function(self, text: str) -> object:
        """Call the one function."""
        result: object = self._loaded("program")[text]()
        return result

    def script(self, _: str) -> object:
        """Run all of it."""
        self._loaded("__main__")
        return None

    def test(self, text: str) -> object:
        """Run one test of the user's, whose file is what the job says."""
        from importlib.machinery import SourceFileLoader

        from worldline.record.pytest_entry import run_test

        original, path = SourceFileLoader.get_code, os.path.realpath(self._job["path"])

        def get_code(loader: Any, name: str) -> Any:
            if os.path.realpath(loader.get_filename(name)) != path:
                return original(loader, name)
            if isinstance(self._code, Exception):
                raise self._code
            return self._code

        SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
        self._output.is_on = False  # what pytest itself says has timings in it
        return run_test(text, self._with_output)

    def _with_output(self, function: Callable[[], object]) -> object:
        self._output.is_on = True
        try:
            return function()
        finally:
            self._output.is_on = False


_ENTRIES: dict[str, Callable[[_Run, str], object]] = {
    "call": _Run.call,
    "function": _Run.function,
    "script": _Run.script,
    "test": _Run.test,
}


def _apart(observe: Callable[[int], NoReturn], seconds: float) -> bytes:
    """What a fork says of itself within its time, as a line; if it says nothing, how it ended."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setpgid(0, 0)
            os.close(reading)
            observe(writing)
        except BaseException as error:  # noqa: BLE001 - ours: it must not pass for something the program did
            os.write(writing, json.dumps({"how": "unseen", "value": repr(error)[:200]}).encode() + b"\n")
        finally:
            os._exit(1)
    os.close(writing)
    deadline = time.monotonic() + seconds
    data = _read(reading, deadline)
    os.close(reading)
    is_told = data.endswith(b"\n") and len(data) < _LINE
    status = _ended(pid, 0.0 if is_told else deadline)
    if is_told:
        return data
    if status is None:
        return _LATE
    if os.WIFSIGNALED(status):
        return b'{"how":"crashed","value":"signal %d"}\n' % os.WTERMSIG(status)
    return b'{"how":"left","value":"exit code %d"}\n' % os.WEXITSTATUS(status)


def _read(pipe: int, deadline: float) -> bytes:
    """What comes until the end of the line or of the time."""
    data = b""
    ready = select.poll()
    ready.register(pipe, select.POLLIN)
    while not data.endswith(b"\n") and len(data) < _LINE:
        left = deadline - time.monotonic()
        if left <= 0 or not ready.poll(left * 1000):
            return b""
        more = os.read(pipe, _LINE)
        if not more:
            break
        data += more
    return data


def _ended(pid: int, deadline: float) -> int | None:
    """Wait for its own end until then, and end all of its group; the status it left by itself."""
    found, status = os.waitpid(pid, os.WNOHANG)
    while not found and time.monotonic() < deadline:
        time.sleep(0.001)
        found, status = os.waitpid(pid, os.WNOHANG)
    _kill(-pid)
    if found:
        return status
    _kill(pid)
    os.waitpid(pid, 0)
    return None


def _kill(pid: int) -> None:
    with suppress(OSError):  # it has ended already
        os.kill(pid, signal.SIGKILL)


def _compiled(job: dict[str, Any]) -> types.CodeType | Exception:
    """The program's code, or why there is none."""
    try:
        tree = ast.parse(job["source"], job["path"])
        if not job["roots"]:
            _load_early(tree)
        return compile(tree, job["path"], "exec", dont_inherit=True)
    except Exception as error:  # noqa: BLE001 - each call will raise it
        return error


def _load_early(tree: ast.Module) -> None:
    """Import what the program will import of the standard library, once for all forks."""
    for node in tree.body:
        names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        for name in names:
            if name.partition(".")[0] in sys.stdlib_module_names - {"this", "antigravity", "__main__"}:
                with suppress(Exception):  # the program will see for itself
                    __import__(name)


def main(job_path: str) -> NoReturn:
    """Do the job."""
    with open(job_path, encoding="utf-8") as file:
        job = json.load(file)
    standard = list(sys.path)
    sys.path.insert(0, job["package"])
    from worldline.record.child import beside, open_sink
    from worldline.record.sink import Sink

    canonical = beside(__file__, "check_values")
    sink = Sink(open_sink(job["sink"]), 0)
    sink.put(b'"ready"\n')
    sys.path[:] = [*job["roots"], *standard, *job["installed"]]
    sys.argv = [job["path"], *job["entry"]["args"]]
    sys.dont_write_bytecode = True
    code = _compiled(job)
    gc.freeze()  # a fork that collects garbage would copy every page it looks at
    left = job["seconds"]
    for text, seconds in job["calls"]:

        def observe(pipe: int, text: str = text) -> NoReturn:
            _Run(job, canonical, code, pipe).observe(text)

        started = time.monotonic()
        line = _apart(observe, seconds) if seconds <= left else _UNASKED
        left -= time.monotonic() - started
        if job["is_final"] and line == _LATE:
            left = 0.0
        sink.put(line)
    sink.put(b'"end"\n', is_last=True)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
