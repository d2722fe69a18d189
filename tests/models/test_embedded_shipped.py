"""The weights that ship: small, readable, and good for a program that they have not seen."""

from importlib import resources

from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.prediction import of_trace
from worldline.models import DEFAULT, model, preferred
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
