"""This file is the law of all microcode: atomic statements only, names that are there, no clash of names."""

import ast
import builtins
import textwrap

import microcode_laws
import pytest

from worldline.rewrite.microcode import atoms
from worldline.rewrite.microcode.library import closure, library, sources

EVERY = sorted(library().values(), key=lambda function: (function.file, function.name))
NAMES = [function.name for function in EVERY]


@pytest.mark.parametrize("function", EVERY, ids=NAMES)
def test_microcode_hides_nothing(function):
    assert atoms.hidden(function.node) == []


@pytest.mark.parametrize("function", EVERY, ids=NAMES)
def test_microcode_is_plain_functions(function):
    """No types, decorators or `**`, a line that says what it does, and every name is known."""
    node = function.node
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    assert [argument.arg for argument in every if argument.annotation] == []
    assert (node.returns, node.decorator_list, node.args.kwarg) == (None, [], None)
    assert ast.get_docstring(node)
    assert _loaded(node) - set(NAMES) - set(dir(builtins)) == set()


@pytest.mark.parametrize("file", sources())
def test_a_file_of_microcode_is_its_functions(file):
    first, *rest = ast.parse(sources()[file]).body
    assert isinstance(first, ast.Expr)
    assert {type(stmt) for stmt in rest} == {ast.FunctionDef}


def test_no_function_is_named_like_a_builtin():
    assert set(NAMES) & set(dir(builtins)) == set()


def test_a_closure_is_all_that_is_needed():
    functions = closure(["str_split"])
    inside = {function.name for function in functions}
    assert "char_is_space" in inside
    assert all(function.calls <= inside for function in functions)
    names = {}
    for function in functions:
        exec(ast.unparse(function.node), names)
    assert names["str_split"](" a b\tc ", None, 1) == ["a", "b\tc "]


def test_a_closure_keeps_the_order_of_the_library():
    assert closure(["str_upper", "str_count"]) == closure(["str_count", "str_upper"])
    assert closure([]) == ()


ATOMIC = """
    x = y
    x = -1
    x = []
    x = {}
    x = (a, b)
    x = set()
    x = a + 1
    x = a // b
    x += c
    x = a < b
    x = not y
    x = a is None
    x = items[i]
    items[i] = v
    del table[k]
    x = k in table
    items.append(v)
    x = items.pop()
    s.add(k)
    x = len(y)
    x = str_find(a, b)
    x = key(item)
    x = tuple(items)
    raise ValueError("no")
    raise
    yield x
    return
    return x
    return f(a)
    if a < b: pass
    while i < n: pass
    while True: pass
    for x in xs: pass
"""

NOT_ATOMIC = """
    x = a[1:2]
    x = a + b + c
    x = a[i + 1]
    x = a and b
    x = a if b else c
    x = [y for y in z]
    x = f"{a}"
    x = a < b < c
    x = text.find(a)
    x = items.pop(0)
    items.insert(0, x)
    items.append(a + b)
    items[i] = a + b
    x = y = z
    a, b = b, a
    x = sorted(y)
    x = a ** b
    x = lambda: 1
    x = f(g(a))
    x.y = z
    if f(a): pass
    if a and b: pass
    while len(a) > 1: pass
    for a, b in c: pass
    for a in f(b): pass
    with a: pass
    assert a
    import a
    global a
    raise ValueError(a + b)
    x = yield y
    return text.find(a)
    return a[1:]
    def g(): pass
"""


@pytest.mark.parametrize("source", textwrap.dedent(ATOMIC).split("\n")[1:-1])
def test_what_is_atomic(source):
    (stmt,) = ast.parse(source).body
    assert atoms.is_atomic(stmt)


@pytest.mark.parametrize("source", textwrap.dedent(NOT_ATOMIC).split("\n")[1:-1])
def test_what_is_not_atomic(source):
    function = ast.parse(f"def f():\n    while True:\n        {source}\n").body[0]
    assert atoms.hidden(function)


@pytest.mark.parametrize(
    "fallback",
    [
        "return text.find(sub, start)",
        "return sorted(items, key=key)",
        "return items[a:b:c]",
        "return a @ b",
        'return f"{a}"',
        "a |= b\n    return a",
        "items[a:b] = values\n    return",
        "del items[a:b]\n    return None",
        "items.sort(key=key)\n    return None",
    ],
)
def test_a_fallback_stands_in_an_if_and_ends_it(fallback):
    block = f"if odd:\n    {fallback}\n"
    assert atoms.hidden(ast.parse(block)) == []
    assert atoms.hidden(ast.parse(block.replace("if odd", "while odd")))
    assert atoms.hidden(ast.parse(f"{block}    x = 1\n"))


@pytest.mark.parametrize(
    "value", ["text.find(f(sub))", "text[a + 1 :]", "(a + b).find(c)", "a + b + c", 'f"{a}{b}"']
)
def test_a_fallback_is_one_thing_too(value):
    assert atoms.hidden(ast.parse(f"if odd:\n    return {value}\n"))


def test_hidden_says_where():
    assert atoms.hidden(ast.parse("x = 1\nif a:\n    y = f(g(x))\n")) == ["line 3: y = f(g(x))"]


@pytest.mark.parametrize(
    ("name", "a", "b"),
    [
        ("Add", "a", "bc"),
        ("Eq", "ab", "c"),
        ("Add", [], []),
        ("In", 1, [1]),
        ("Mod", "%", "s"),
        ("Lt", (), ()),
    ],
)
def test_an_operation_that_is_too_much_is_noticed(name, a, b):
    with pytest.raises(microcode_laws.TooMuch):
        microcode_laws.watched_operation(name, a, b, "str_find")


def _loaded(node):
    """Names that a function reads and does not have itself."""
    names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
    bound = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    bound |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
    return {name.id for name in names} - bound
