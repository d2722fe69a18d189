"""Tests of three-address form, construct by construct."""

import ast
from pathlib import Path

import pytest

from worldline.rewrite.expressions import Fresh, is_flat, three_address

SECTIONS = Path(__file__).with_name("flat_examples.txt").read_text(encoding="utf-8").split("## ")[1:]
EXAMPLES = {section.partition("\n")[0]: section.partition("\n")[2].strip("\n") for section in SECTIONS}


def flat(source):
    tree = ast.parse(source)
    return three_address(tree, Fresh.of(tree))


def text(source):
    return ast.unparse(flat(source).tree)


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_construct(name):
    program, _, expected = EXAMPLES[name].partition("\n---->\n")
    assert text(program) == expected


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_is_flat_stays(name):
    expected = EXAMPLES[name].partition("\n---->\n")[2]
    assert text(expected) == expected


@pytest.mark.parametrize(
    "statement",
    [
        *(
            "x = a + b + c",
            "x = f(g())",
            "x = a.b.c",
            "x = a[b.c]",
            "x = not a.b",
            "x = a < b < c",
            "x = a and b",
        ),
        *(
            "x = [a.b]",
            "x = {**a.b}",
            "x = f'{a.b}'",
            "x = f'{a!r:>4}'",
            "x = f'{a:>{b}}'",
            "x = f'{a}{b:>4}'",
            "x = (y := a)",
        ),
        *(
            "x = [a for a in b]",
            "x = lambda: a.b.c",
            "x = lambda a=b.c: a",
            "x = y = a",
            "x.y = a + b",
            "x.y += a",
        ),
        *(
            "x[i] += a",
            "x += a.b",
            "a, b = c, d",
            "a, b.c = d",
            "return a + b",
            "return f()",
            "del a, b",
            "del a.b.c",
        ),
        *(
            "raise E(a)",
            "assert a, b.c",
            "assert f()",
            "if f(): pass",
            "if not a < b: pass",
            "while a.b: pass",
        ),
        *(
            "for a, b in c: pass",
            "for a in b.c: pass",
            "with a.b: pass",
            "with a, b: pass",
            "with a as (b, c): pass",
        ),
        *(
            "match a.b:\n case _: pass",
            "match a:\n case _ if b.c: pass",
            "@f()\ndef g(): pass",
            "def f(a=b.c): pass",
        ),
        *(
            "class A(b()): pass",
            "try: pass\nexcept f(): pass",
            "x: int = a.b.c",
            "x = -(-a)",
            "x = await a.b",
        ),
    ],
)
def test_what_is_not_flat(statement):
    assert not is_flat(ast.parse(statement).body[0])


@pytest.mark.parametrize(
    "statement",
    [
        *(
            "x = -1",
            "x = a + b",
            "x = f(a, *b, c=-1, **d)",
            "x = a.f(b)",
            "x = a.b",
            "x = a[-1]",
            "x = a[b:c:-1]",
        ),
        *(
            "x = a < b",
            "x = not a",
            "x = [a, *b]",
            "x = f'{a}: {b}'",
            "x = f'{a!r}'",
            "x = f'{a:{b}}'",
            "x = await a",
        ),
        *(
            "x = lambda a: a.b",
            "x = yield a",
            "a, *b = c",
            "a.b = c",
            "a[b] = c",
            "x += a",
            "if a < b: pass",
            "pass",
        ),
        *(
            "return a",
            "return",
            "raise a from b",
            "raise",
            "for x in a: pass",
            "with a as b: pass",
            "del a[b]",
        ),
        *(
            "while not a: pass",
            "assert a < b, c",
            "try: pass\nexcept (A, b.C): pass",
            "@a.b\ndef f(x=1): pass",
        ),
        *(
            "class A(b.C, metaclass=D): pass",
            "x: dict[str, int] = a + b",
            "match a:\n case [b, c] if b: pass",
        ),
    ],
)
def test_what_is_flat(statement):
    assert is_flat(ast.parse(statement).body[0])


def test_a_statement_has_the_line_of_the_one_it_comes_from():
    source = """
def f(xs):
    total = (sum(x * 2  # @sum
                 for x in xs))
    if xs:
        return 1
    elif len(xs) > 2:  # @elif
        return total
"""
    lines = {line.partition("# @")[2]: number for number, line in enumerate(source.splitlines(), 1)}
    nodes = [node for node in ast.walk(flat(source).tree) if isinstance(node, ast.stmt)]
    assert {node.lineno for node in nodes if "_gen0" in ast.unparse(node).partition("\n")[0]} == {
        lines["sum"]
    }
    assert {node.lineno for node in nodes if "len(xs)" in ast.unparse(node).partition("\n")[0]} == {
        lines["elif"]
    }


def test_the_tree_that_is_given_is_not_changed():
    source = "@a(1)\ndef f(x=b()):\n    return [y + x[0] for y in x if (lambda: y)()]\nx = f'{a}{b.c:>{d}}'"
    tree = ast.parse(source)
    before = ast.dump(tree, include_attributes=True)
    three_address(tree, Fresh.of(tree))
    assert ast.dump(tree, include_attributes=True) == before


@pytest.mark.parametrize(
    ("source", "what", "lines"),
    [
        ("def f(a):\n    b = a + 1 + 2\n    return locals()", "function f", 1),
        ("def f(a):\n    return eval(a.b.c)", "function f", 1),
        ("x = f(**a, b=c())", "call", 1),
        ("class A:\n    x = a.b.c", "statement (Assign)", 2),
        ("class A:\n    def m(self, x=a.b): pass", "header of m", 2),
        ("try:\n    pass\nexcept f(a):\n    pass", "except", 3),
        ("async def f(a):\n    return (x async for x in a)", "asynchronous generator expression", 2),
        ("x = a.b.c\nprint(globals())", "statement (Assign)", 1),
    ],
)
def test_what_is_left_is_listed(source, what, lines):
    first = flat(source).left[0]
    assert (first.what, first.line) == (what, lines)


def test_a_name_of_the_program_that_hides_a_peeking_function_is_no_reason_to_leave_it():
    found = flat("def f(dir, vars):\n    return dir.a.b, vars().c")
    assert found.left == ()


def test_fresh_names_avoid_those_in_strings():
    assert "_t1 = a.b" in text("x = a.b.c\ny = getattr(x, '_t0')")


def test_fresh_names_of_names_with_numbers_do_not_clash():
    fresh = Fresh([])
    names = [fresh.name(stem) for stem in ("x", "x1", "x", "x1", "__x", "_", "1")]
    assert len(set(names)) == len(names)
