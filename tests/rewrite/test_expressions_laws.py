"""The laws of three-address form: it is flat, it stays as it is, and it behaves as the program did."""

import ast
import os
import warnings

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from logged_objects import LOGGED, QUIET_TRUTH, TRUTH, run
from logged_programs import program

from worldline.rewrite.expressions import Fresh, is_flat, three_address
from worldline.rewrite.expressions.names import words

EXAMPLES = int(os.environ.get("WORLDLINE_EXAMPLES", "80"))
relaxed = settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
KINDS = ("plain", "generator", "async")


def compiled(tree):
    """The code of a tree; nothing where Python refuses it, as it does a walrus in some places."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return compile(tree, "program", "exec")
        except SyntaxError:
            return None


@pytest.mark.parametrize("sees_truth", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_a_rewritten_program_behaves_as_the_original(kind, sees_truth):
    support = LOGGED + (TRUTH if sees_truth else QUIET_TRUTH)

    @relaxed
    @given(st.randoms(use_true_random=False), st.integers(1, 25), st.integers(1, 40))
    def law(random, size, fail_at):
        tree = program(random, size, kind, sees_truth)
        original = compiled(tree)
        assume(original is not None)
        text = ast.unparse(three_address(tree, Fresh.of(tree)).tree)
        rewritten = compiled(ast.parse(text))
        assert rewritten is not None, text
        for moment in (None, fail_at):
            expected = run(original, support, moment, kind)
            assert run(rewritten, support, moment, kind) == expected, text

    law()


@relaxed
@given(st.randoms(use_true_random=False), st.integers(1, 40), st.sampled_from(KINDS), st.booleans())
def test_every_statement_is_flat_and_stays_as_it_is(random, size, kind, sees_truth):
    tree = program(random, size, kind, sees_truth)
    assume(compiled(tree) is not None)
    found = three_address(tree, Fresh.of(tree))
    assert compiled(found.tree) is not None
    assert not [ast.unparse(node) for node in unlisted(found)]
    text = ast.unparse(found.tree)
    again = ast.parse(text)
    assert ast.unparse(three_address(again, Fresh.of(again)).tree) == text


@relaxed
@given(st.randoms(use_true_random=False), st.integers(1, 40))
def test_fresh_names_are_fresh(random, size):
    tree = program(random, size)
    fresh = Fresh([*words(tree), "_t0", "_t3", "_x0", "_list0", "_iter1"])
    before = words(tree)
    made = words(three_address(tree, fresh).tree) - before
    assert made.isdisjoint({"_t0", "_t3", "_x0", "_list0", "_iter1"})
    assert {name for name in made if name.startswith("_")} <= fresh.given | {"__qualname__", "__name__"}


def unlisted(found):
    """The statements that are neither flat nor said to be left."""
    if found.left:
        return []  # all statements of a made program are on the same line
    return [node for node in ast.walk(found.tree) if isinstance(node, ast.stmt) and not is_flat(node)]
