"""This file is how a call goes on where the model has it: in a new frame, at its line, in its state."""

from collections.abc import Mapping
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any

from worldline.diagnose.beliefs.activation import Activation
from worldline.diagnose.beliefs.bounds import Abort
from worldline.diagnose.beliefs.source import Door, Entrance, How, NoEntranceError
from worldline.trace.model import Step

if TYPE_CHECKING:
    from worldline.diagnose.beliefs.walk import Walk

Left = tuple[Any, BaseException | None]
"""What a function returned, or what it raised."""

_MET: Mapping[How, tuple[str, ...]] = {
    "call": (),
    "line": ("line",),
    "header": ("line",),
    "exception": ("line", "exception"),
}
"""The events of the new frame that the model has had already."""


def resumed(walk: "Walk", activation: Activation, function: Any) -> Left:
    """Let an activation go on at the step it waits for, or the first one after it where that can be."""
    pending, activation.pending = activation.pending, None
    index = pending.index if pending else walk.cursor - 1
    while True:
        step = walk.steps[index]
        if step.event == "return":
            return _left(walk, activation, index)
        try:
            how = _how(walk, activation, step)
            cells = _cells(activation, function)
            door = Door(how, step.line, *_names(activation, cells))
            entrance = walk.followable.entrance(_definition(activation), door, activation.code)
            if entrance.loops - activation.iterators.keys():
                raise NoEntranceError("it is inside a loop whose iterator is not known")
            return _run(walk, activation, function, entrance, cells)
        except NoEntranceError as error:
            index = _seek(walk, activation, str(error))


def _run(
    walk: "Walk", activation: Activation, function: Any, entrance: Entrance, cells: dict[str, CellType]
) -> Left:
    code = entrance.code
    how: How = activation.how
    for name, cell in cells.items():
        if name in activation.state:
            cell.cell_contents = activation.state[name]
    closure = tuple(cells[name] for name in code.co_freevars)
    made = FunctionType(code, function.__globals__, function.__name__, None, closure)
    activation.swallow = list(_MET[how])
    arguments = [activation.state[name] for name in code.co_varnames[: code.co_argcount]]
    activation.state = {}
    walk.left, walk.entering = None, activation
    value, error = None, None
    try:
        value = made(*arguments)
    except Abort:
        raise
    except BaseException as raised:  # noqa: BLE001 - the caller raises it again
        error = raised
    walk.left = walk.entering = None
    return value, error


def _left(walk: "Walk", activation: Activation, index: int) -> Left:
    """The model has the function end here: by what it raised just before, or with the value it says."""
    step, before = walk.steps[index], walk.steps[index - 1] if index else None
    if before is not None and before.event == "exception" and before.depth == step.depth:
        if activation.raised is None:
            walk.abort("it raises something that cannot be read back")
        return None, activation.raised
    return walk.beliefs.value(step.value or "None"), None


def _how(walk: "Walk", activation: Activation, step: Step) -> How:
    how: How = "line"
    if step.event == "exception":
        if activation.raised is None:
            raise NoEntranceError("what was raised cannot be read back")
        how = "exception"
    elif step.event == "call":
        how = "call"
    else:
        loop = walk.followable.loop_at(_definition(activation), step.line)
        if loop is not None and loop.lineno <= activation.before <= (loop.body[-1].end_lineno or 0):
            how = "header"
    activation.how = how
    return how


def _seek(walk: "Walk", activation: Activation, why: str) -> int:
    """The next step of an activation, which is not judged."""
    step = walk.next_of(activation)
    walk.judge(None, why)
    activation.before, activation.said = activation.said, step.line
    if step.event == "line":
        activation.state = walk.beliefs.believed(activation, activation.state, step.locals)
    elif step.event == "exception":
        activation.raised = walk.beliefs.exception(step.value or "")
    return walk.cursor - 1


def _definition(activation: Activation) -> Any:
    if activation.definition is None:
        raise NoEntranceError("this code cannot be entered again")
    return activation.definition


def _cells(activation: Activation, function: Any) -> dict[str, CellType]:
    """The cells that the function shares with the one around it, and with functions that it has made."""
    found = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    for value in activation.state.values():
        if isinstance(value, FunctionType):
            inner: Any = getattr(value, "__wrapped__", value)
            cells = zip(inner.__code__.co_freevars, inner.__closure__ or (), strict=True)
            found |= {name: cell for name, cell in cells if name in activation.code.co_cellvars}
    return found


def _names(activation: Activation, cells: Mapping[str, CellType]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    code = activation.code
    own = {*code.co_varnames, *code.co_cellvars}
    names = tuple(name for name in activation.state if name in own and name.isidentifier())
    return names, tuple(name for name in cells if name in code.co_cellvars)
