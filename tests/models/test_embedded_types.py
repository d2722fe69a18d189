"""Types of Python as values: wherever a statement may have one, the network is asked what it knows."""

import ast
import builtins
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldline.models.embedded.effects import apply
from worldline.models.embedded.network import load
from worldline.models.embedded.outcomes import Value
from worldline.models.embedded.prompts import KINDS, Handles
from worldline.models.embedded.reading import question
from worldline.models.embedded.vocabulary import IDS, TYPES

NAMED = [name for name in TYPES if name in KINDS and hasattr(builtins, name)]
KNOWN = list(KINDS.values())
LITERALS = ["5", "'q'", "''", "None", "True", "'word'", "(1, 2)", "12"]
ITEMS = st.sampled_from([*NAMED, *LITERALS, "a", "b"])
FORMS = ("[{}]", "({},)", "{{{}}}")
SIGNS = ("is", "is not", "==", "!=")


def parsed(text):
    return ast.parse(text).body[0]


@given(st.lists(ITEMS, min_size=1, max_size=6), st.sampled_from(FORMS))
def test_a_display_says_what_is_in_it(items, form):
    """All that an answer may name stands in the question, and no place of a literal is left open."""
    if form == "{{{}}}":
        items = [f"{key}: {each}" for key, each in enumerate(items[:3])]
    text = form.format(", ".join(items))
    values = {"a": [1], "b": 7}
    node = parsed(f"x = {text}")
    asked = question(node, values, Handles())
    told = asked.right()[:-1]
    if asked.kind == "make":  # what is a literal as a whole is one thing
        assert IDS["literal"] not in asked.asked
        assert {*told[1:]} <= {*asked.asked}
    assert repr(apply(node, asked.read(told), values).bound["x"]) == repr(eval(text, dict(values)))


CASES = {
    "alone": [(f"x = {name}", {}) for name in NAMED],
    "names": [(f"x = a {sign} b", {"a": one, "b": two}) for sign in SIGNS for one in KNOWN for two in KNOWN],
    "left": [(f"x = {name} {sign} a", {"a": kind}) for sign in SIGNS for name in NAMED for kind in KNOWN],
    "right": [(f"x = a {sign} {name}", {"a": kind}) for sign in SIGNS for name in NAMED for kind in KNOWN],
    "both": [(f"x = {one} {sign} {two}", {}) for sign in SIGNS for one in NAMED for two in NAMED],
    "literal": [(f"x = a {sign} {other}", {"a": kind}) for sign in SIGNS for kind in KNOWN for other in "17"],
    "type": [
        *((f"x = type({name})", {}) for name in NAMED),
        *(("x = type(a)", {"a": kind}) for kind in KNOWN),
    ],
    "isinstance": [
        (f"x = isinstance(a, {name})", {"a": kind}) for name in NAMED if name != "object" for kind in KNOWN
    ],
    "truth": [("x = not a", {"a": kind}) for kind in KNOWN],
}


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("name", CASES)
def test_the_network_knows_types_as_values(name):
    network = load()
    for text, values in Random(1).sample(CASES[name], min(60, len(CASES[name]))):
        asked = question(parsed(text), values, Handles())
        ((tokens, sure),) = network.answers([asked])
        assert asked.read(tokens) == Value(eval(text.removeprefix("x = "), dict(values))), (text, values)
        assert sure > 0.8


def test_displays_of_types_and_literals_are_right():
    dice, network = Random(2), load()
    for _ in range(60):
        items = [dice.choice([*NAMED, *LITERALS]) for _ in range(dice.randint(1, 6))]
        asked = question(parsed(f"x = [{', '.join(items)}]"), {}, Handles())
        ((tokens, _),) = network.answers([asked])
        assert list(tokens) == asked.right()[:-1], items
