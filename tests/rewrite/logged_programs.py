"""This file is random programs on logged objects, whose order of evaluation can be seen.

Programs are built as trees, since text would restrict what may stand in f-strings.
"""

import ast
import re

LEAVES = (
    *("v(1)", "v(2)", "v(3)", "v(4)", "a", "b", "g", "n") * 5,
    *("poke()", "tick()", "a", "b", "c", "d") * 3,
    *("0", "'s'", "None", "True", "missing"),
)
"""a and b are parameters, c and d may be unbound, g is a global and n a closure that calls rebind."""

EXPRESSIONS = (
    *("X0 + X1", "X0 % X1", "X0 - X1 - X2", "-X0", "~X0", "not X0", "X0 @ X1"),
    *("X0 < X1", "X0 == X1", "X0 < X1 < X2", "X0 in X1", "X0 is X1", "X0 < X1 >= X2 in X3"),
    *(
        "X0 and X1",
        "X0 or X1",
        "X0 and X1 or X2",
        "(X0 or X1) and X2",
        "X0 or (X1 and X2)",
        "not (X0 and X1)",
    ),
    *(
        "(X0 and X1) and X2",
        "(X0 and (X1 or X2)) or X3",
        "(X0 and X1 if X2 else X3) or a",
        "(X0 < X1 < X2) and X3",
    ),
    *("X0 and X1 and X2 and X3 and a and b and v(7)", "X0 or X1 or X2 or X3 or a or b or v(7) or v(8)"),
    *("X0 if X1 else X2", "X0 if X1 and X2 else X3", "(X0 if X1 else X2) or X3"),
    *("v(X0)", "X0(X1)", "a.m(X0)", "X0.m(X1, X2)", "v(X0, X1, k=X2)", "v(*X0)", "v(X0, *X1, X2)"),
    *("v(*X0, k=X1)", "v(k=X0, **X1)", "v(X0, *X1, k=X2, **X3)", "v(*X0, *X1)", "X0.m(*X1, X2)"),
    *("X0.p", "X0.p.q", "X0[X1]", "X0[X1:X2]", "X0[X1:X2:X3]", "X0[X1, X2]", "X0[X1:X2, X3]", "X0[:X1]"),
    *("[X0, X1]", "[*X0, X1]", "[X0, *X1]", "(X0, X1)", "(*X0, X1, *X2)", "[].count(X0)", "','.join([X0])"),
    *("{X0, X1}", "{X0, *X1, X2}", "{*X0, X1, X2}", "{X0: X1}", "{X0: X1, **X2, X3: v(4)}", "{**X0, X1: X2}"),
    *(
        "f'{X0}-{X1}'",
        "f'{X0!r}{X1:>4}'",
        "f'{X0:{X1}}'",
        "f'{X0!s:<{X1}}{X2}'",
        "f'{X0}{X1:{X2}{X3}}'",
        "f'x'",
    ),
    *("(c := X0)", "(a := X0)", "v((a := X0), X1)", "(d := X0) + X1", "a + (a := X0) + a"),
    *("[X0 for x in X1]", "[x for x in X0 if X1]", "{x for x, y in X0}", "{x: X0 for x in X1}"),
    *(
        "[(x, y) for x in X0 for y in X1]",
        "[[X0, x] for x, *y in X1 if x if X2]",
        "[x for x in X0 if x and X1]",
    ),
    *(
        "[(lambda: x) for x in X0]",
        "[h() for h in [(lambda: v(x, X0)) for x in X1]]",
        "[x for x in [y for y in X0]]",
    ),
    *("[list(x for z in X0) for x in X1]", "[(c := x) for x in X0]", "[[x for x in x] for x in X0]"),
    *("list(X0 for x in X1)", "(X0 for x in X1)", "any(x for x in X0)", "list((x, X0) for x, y in X1 if X2)"),
    *("list(x for x in X0 for y in X1)", "list((c := x) for x in X0)", "[*(x for x in X0), X1]"),
    *(
        "(lambda: X0)()",
        "(lambda x, y=X0: v(x, y, X1))(X2)",
        "(lambda x: x.p)(X0)",
        "(lambda *x, k=X0: x)(X1)",
    ),
    *("(lambda x: X0 + x)()", "sorted([X0], key=lambda x: (0, x.p))", "list(map(lambda x: v(x)(X0), X1))"),
    *(
        "[x + u for x in X0 for u in X1 if v(u)]",
        "[q for x in X0 for q in q]",
        "tick() + n + X0",
        "g + poke() + g",
    ),
)

STATEMENTS = (
    *(
        "X0",
        "c = X0",
        "d = X0",
        "a = X0",
        "c = d = X0",
        "a.p = X0",
        "a[X0] = X1",
        "a.p = c = X0",
        "X0.p = X1",
    ),
    *(
        "a, b = b, a",
        "a, b = X0, X1",
        "a, c = b, X0",
        "c, d = X0",
        "c, *d = X0",
        "[c, a.p] = X0",
        "a[X0], a = X1",
    ),
    *(
        "a, b.p, c = X0, X1, a",
        "(a, b), c = X0, X1",
        "c, d = *X0, X1",
        "g, n, a = a, g, n",
        "a[a], a = b, X0",
    ),
    *(
        "a += X0",
        "a.p += X0",
        "a[X0] += X1",
        "X0[X1] += X2",
        "X0.p -= X1",
        "c += X0",
        "n += X0",
        "a[X0:X1] += X2",
    ),
    *("c: int = X0", "a.p: int = X0", "a[X0]: int = X1", "c: X0", "del c", "del a.p, b[X0]", "del (c, d)"),
    *("assert X0", "assert X0, X1", "raise X0", "raise Boom(X0) from X1", "return X0", "return", "pass"),
    *("if X0:\n  S0", "if X0:\n  S0\nelse:\n  S1", "if X0:\n  S0\nelif X1:\n  S1\nelse:\n  S2"),
    *("if X0:\n  S0\nelif X1:\n  S1\nelif X2:\n  S2", "if X0 and X1:\n  S0\nelse:\n  S1", "if not X0:\n  S0"),
    *("while v(5) + X0:\n  S0", "while v(5) and X0:\n  S0\n  if X1: break\nelse:\n  S1", "while v(5):\n  S0"),
    "for x in v(6), v(7):\n  while v(5)(X0):\n    S0\n    if X1: continue\n    if X2: break\n"
    "  else:\n    if X3: break\n    continue\n  S1",
    *(
        "for c in X0:\n  S0",
        "for c, d in X0:\n  S0\n  if X1: break\nelse:\n  S1",
        "for a.p in X0:\n  S0",
        "for a[X0] in X1: S0",
    ),
    *("with X0:\n  S0", "with X0 as c, X1 as (a, d):\n  S0", "with X0 as a.p:\n  S0"),
    *(
        "try:\n  S0\nexcept Boom as c:\n  S1",
        "try:\n  S0\nexcept (Boom, NameError):\n  S1\nelse:\n  S2\nfinally:\n  S3",
    ),
    *(
        "try:\n  S0\nfinally:\n  S1",
        "try:\n  S0\nexcept v(X0):\n  S1",
        "for x in v(1), v(2):\n  try:\n    continue\n  finally:\n    S0",
    ),
    *(
        "def h(x, y=X0, *, z=X1):\n  S0\n  return X2\nc = h(X3)",
        "@v(X0)\n@v\ndef h(x=X1): return X2",
        "def h(): yield X0\nc = list(h())",
    ),
    *(
        "class K(type(X0)):\n  p = X1\n  def m(self): return X2",
        "class K:\n  def m(self, x): S0\nc = K().m(X1)",
    ),
    *(
        "match X0:\n  case [c, d] if X1:\n    S0\n  case _ if X2:\n    S1\n  case _:\n    S2",
        "match X0:\n  case int(): S0\n  case c: S1",
    ),
    *(
        "match X0:\n  case None: S0\n  case c if c: S1\n  case d: S2",
        "lam = lambda x, y=X0: X1 + x\nc = lam(X2)",
    ),
)
SIMPLE = tuple(text for text in STATEMENTS if "S0" not in text and "X3" not in text)
GENERATOR = (
    "(yield X0)",
    "a + (yield X0)",
    "v((yield X0), X1)",
    "g + (yield)",
    "(yield from X0)",
    "[X0, (yield)]",
    "n + (yield X0)",
)
ASYNC = (
    *(
        "(await X0)",
        "a + await X0",
        "v(await X0, X1)",
        "g + await X0",
        "[await x for x, y in X0]",
        "[x async for x in X0]",
    ),
    *(
        "[X0 async for x, y in X1 if await X2]",
        "list([(lambda: x) for x, y in X0 if await X1])",
        "{x: await X0 async for x in X1}",
    ),
)
ASYNC_STATEMENTS = (
    *("async with X0 as (a, c):\n  S0", "async for c in X0:\n  S0\n  if X1: break\nelse:\n  S1"),
    "async for c, d in X0:\n  S0",
)

FRAME = """
g = Thing()
def v(*args, **words):
    WORLD.event('v', args, words)
    return Thing()
def poke():
    global g
    WORLD.event('poke')
    g = Thing()
    return g
def outer():
    n = Thing()
    def tick():
        nonlocal n
        WORLD.event('tick')
        n = Thing()
        return n
    def f(a, b):
        FIRST
        S0
        return a, b, g, n
    return f
f = outer()
"""
SEES_TRUTH = """
class Marker:
    def __bool__(self):
        return True
    def __next__(self):
        return self
"""


PLACE = re.compile(r"([XS])([0-3])$")


def program(random, size, kind="plain", sees_truth=False):
    """A program with a function `f(a, b)`; `sees_truth`: classes in it say what their truth is."""
    maker = _Maker(random, size, kind)
    frame = FRAME.replace("FIRST", random.choice(("pass", "c = d = v(9)", "c = d = v(9)")))
    frame = frame if kind != "async" else frame.replace("def f(", "async def f(")
    tree = maker.filled(ast.parse((SEES_TRUTH if sees_truth else "") + frame))
    return ast.fix_missing_locations(tree)


class _Maker(ast.NodeTransformer):
    """Fills the places in templates with random parts, until `size` of them are made."""

    def __init__(self, random, size, kind):
        self.random = random
        self.left = size
        more = {"plain": (), "generator": GENERATOR, "async": ASYNC}[kind]
        self.expressions = (*EXPRESSIONS, *more * 4)
        self.statements = (*STATEMENTS, *(ASYNC_STATEMENTS * 4 if kind == "async" else ()))

    def filled(self, tree):
        return self.visit(tree)

    def visit_Name(self, node):
        if not PLACE.match(node.id):
            return node
        if self.left <= 0 or self.random.random() < 0.3:
            return ast.parse(self.random.choice(LEAVES), mode="eval").body
        self.left -= 1
        return self.visit(ast.parse(self.random.choice(self.expressions), mode="eval").body)

    def visit_Expr(self, node):
        if not (isinstance(node.value, ast.Name) and node.value.id[0] == "S" and PLACE.match(node.value.id)):
            return self.generic_visit(node)
        made = []
        for _ in range(self.random.randint(1, 3)):
            simple = self.left <= 0
            texts = SIMPLE if simple else self.statements
            self.left -= 1
            made.extend(self.visit(ast.parse(self.random.choice(texts))).body)
        return made
