"""This file is the process inside the box that follows a predicted trace, and writes down each judgement.

It is started as `python -s -P -S -B child.py JOB.json`, and what it says is believed no more than what
the recorder's process says (`record/child.py`): capped JSON lines in a sink, `[index, follows, why]`.
"""

import io
import json
import os
import signal
import sys
import types
from typing import Any, NoReturn

_WORDS = 100  # characters of a reason
_TICK = 0.5  # seconds; a step that takes two of them does not finish
_STUCK = 2.0  # seconds of one operation in C, which no Python code can interrupt
_SOON = 0.01
_DEPTH = 5_000  # of calls: several of ours come with each of the program's
_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class _Nowhere(io.TextIOBase):
    """Where the program's output goes."""

    encoding = "utf-8"

    def writable(self) -> bool:
        """Always."""
        return True

    def write(self, text: str) -> int:
        """Forget it."""
        return len(text)


class Follower:
    """One program and the steps that were predicted for it."""

    def __init__(self, job: dict[str, Any], sink: Any) -> None:
        from worldline.diagnose.beliefs.source import Followable
        from worldline.diagnose.beliefs.walk import Walk
        from worldline.trace.model import Step

        self._job = job
        self._sink = sink
        self._steps = [Step(*fields) for fields in job["steps"]]
        is_script = job["entry"]["kind"] == "script"
        self._module = types.ModuleType("__main__" if is_script else "program")
        self._module.__file__ = job["path"]
        sys.modules[self._module.__name__] = self._module
        followable = Followable(job["source"], job["path"])
        names = self._module.__dict__
        self._walk = Walk(followable, names, self._steps, job["source"], self._report)
        self._walk.cursor = job["start"]
        self._code = followable.code
        self._seen = -1

    def follow(self) -> NoReturn:
        """Judge all that is wanted."""
        is_script = self._job["entry"]["kind"] == "script"
        self._watch()
        if not is_script:
            exec(self._code, self._module.__dict__)
        if self._walk.cursor == 0 and self._steps:
            self._walk.launch(self._entry(), self._steps[0].depth)
        while self._walk.cursor < len(self._steps):
            self._again(self._walk.aborted or "the call that it was in has ended")
        self._finish()

    def _entry(self) -> Any:
        kind, text = self._job["entry"]["kind"], self._job["entry"]["text"]
        names = self._module.__dict__
        if kind == "script":
            return lambda: exec(self._code, names)
        if kind == "call":
            expression = compile(text, "<call>", "eval", dont_inherit=True)
            return lambda: eval(expression, names)
        return names[text]

    def _again(self, why: str) -> None:
        """Begin anew at the next step, from nothing but its text."""
        from worldline.diagnose.beliefs.activation import Activation, Pending

        walk = self._walk
        index = walk.cursor
        step = self._steps[index]
        walk.judge(None, why)
        definition = None if step.event == "return" else walk.followable.at(step.line)
        if definition is None or step.function not in ("", definition.qualname):
            return
        function = walk.functions.get(walk.followable.definitions.index(definition))
        if function is None:
            return
        activation = Activation(function.__code__, definition, depth=step.depth)
        activation.pending = Pending(step.event, index)
        activation.said = step.line
        if step.event == "exception":
            activation.raised = walk.beliefs.exception(step.value or "")
        else:
            activation.state = walk.beliefs.believed(activation, {}, step.locals)
            self._share(activation.state, index)
        walk.launch(lambda: walk.go_on(activation, function, (None, None)), step.depth)

    def _share(self, state: dict[str, Any], index: int) -> None:
        """Make one object of what is known to be one."""
        for group in self._job["shared"].get(str(index), ()):
            texts = self._steps[index].locals
            names = [name for name in group if name in state]
            for name in names[1:]:
                if texts.get(name) == texts.get(names[0]):
                    state[name] = state[names[0]]

    def _report(self, index: int, follows: bool | None, why: str) -> None:
        self._sink.put(json.dumps([index, follows, why[:_WORDS]]).encode() + b"\n")
        if index == len(self._steps) - 1:
            self._finish()

    def _finish(self) -> NoReturn:
        self._sink.put(b'"end"\n', is_last=True)
        os._exit(0)

    def _watch(self) -> None:
        """Look every now and then whether it goes on; whoever does not let us look for long is killed."""
        signal.signal(signal.SIGALRM, self._look)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, _STUCK)
        signal.setitimer(signal.ITIMER_REAL, _TICK, _TICK)

    def _look(self, _: int, frame: types.FrameType | None) -> None:
        """Interrupt the program if it is still at the same step; not while it is we who are running."""
        from worldline.diagnose.beliefs.bounds import TooLongError

        signal.setitimer(signal.ITIMER_PROF, _STUCK)
        now = self._walk.cursor
        if now != self._seen:
            self._seen = now
            return
        while frame is not None and frame.f_code.co_filename != self._job["path"]:
            if frame.f_code.co_filename.startswith(_FOLDER):
                signal.setitimer(signal.ITIMER_REAL, _SOON, _TICK)
                return
            frame = frame.f_back
        self._seen = -1
        raise TooLongError


def main(job_path: str) -> NoReturn:
    """Do the job."""
    with open(job_path, encoding="utf-8") as file:
        job = json.load(file)
    standard = list(sys.path)
    sys.path.insert(0, job["package"])
    from worldline.record.child import open_sink
    from worldline.record.sink import Sink

    follower = Follower(job, Sink(open_sink(job["sink"]), 0))
    sys.path[:] = [*standard, *job["installed"]]
    sys.argv = [job["path"], *job["entry"]["args"]]
    sys.stdout = sys.stderr = _Nowhere()
    sys.setrecursionlimit(_DEPTH)
    follower.follow()


if __name__ == "__main__":
    main(sys.argv[1])
