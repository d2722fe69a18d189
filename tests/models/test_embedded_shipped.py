"""The weights that ship: small, readable, and good for a program that they have not seen."""

import ast
from importlib import resources

from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.prediction import of_trace
from worldline.models import DEFAULT, model, preferred
from worldline.models.embedded.network import load
from worldline.models.embedded.outcomes import Answer, Value, Values
from worldline.models.embedded.paper import answered
from worldline.record import Limits, Options, record
from worldline.rewrite import rewrite
from worldline.rollout.options import RolloutOptions
from worldline.rollout.rollout import predict
from worldline.trace.model import Entry, Program

SOURCE = """\
def total(words):
    found = {}
    for word in words:
        size = len(word)
        if size not in found:
            found[size] = []
        found[size].append(word)
    best = 0
    for size in found:
        if size > best:
            best = size
    return best, found[best]


def main():  # << START_OF_TRACE
    return total(["oak", "linden", "ash", "willow"])
"""


def test_the_weights_are_small_enough_to_ship() -> None:
    place = resources.files("worldline.models.embedded") / "weights.npz"
    assert place.is_file()
    assert len(place.read_bytes()) <= 10_000_000


def test_it_follows_a_program_that_it_has_not_seen() -> None:
    program = rewrite(Program(SOURCE, Entry("function", "main")), "atomic").program
    real = record(program, Options(max_value=None), Limits(seconds=60.0), "process").trace
    usual = preferred(DEFAULT)
    options = RolloutOptions(usual.actions, context=usual.context, stop_below=usual.stop_below)  # type: ignore[arg-type]
    said = predict(program, model(DEFAULT), options)
    assert first_divergence(real, of_trace(said.trace)) is None
    assert all(each.step is None or each.step > 0.5 for each in said.sureness)


def test_it_unpacks_to_a_name_that_comes_twice() -> None:
    """A target of its own for each was all that the data had: it said that it fails, and was sure."""
    assert told("_, y, _, z = t", {"t": [7, 8, 9, 10]}) == Values((7, 8, 9, 10))
    assert told("_, _, z = t", {"t": ("a", "b", "c")}) == Values(("a", "b", "c"))


def told(statement: str, values: dict[str, object]) -> object:
    """The outcome of one statement."""
    running = answered(ast.parse(statement).body[0], values)
    answer: Answer | None = None
    while True:
        try:
            asked = running.send(answer)
        except StopIteration as stop:
            return stop.value.outcome
        ((said, sure),) = load().answers([asked])
        answer = Answer(asked.read(said), sure)


def test_it_knows_characters_that_its_data_hardly_has() -> None:
    """Their types, and the order of neighbours, which it has got wrong when they were asked as one token."""
    for one in "\x06\x148<Bjkx":
        other = chr(ord(one) + 1)
        assert told("x = type(a)", {"a": one}) == Value(str), one
        assert told("x = isinstance(a, int)", {"a": one}) == Value(False), one
        assert told("x = isinstance(a, t)", {"a": one, "t": (str, str)}) == Value(True), one
        assert told("x = a < b", {"a": one, "b": other}) == Value(True), one
        assert told("x = b <= a", {"a": one, "b": other}) == Value(False), one
