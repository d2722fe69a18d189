"""This file is a strategy for random programs: nested statements of every kind, often raising.

They end: each turn of a loop and each call burns fuel, and the exception at its end is caught by no one.
"""

from hypothesis import strategies as st

PRELUDE = """\
fuel = 100
class Empty(BaseException): pass
def tick(x=1):
    global fuel
    fuel -= 1
    if fuel < 0: raise Empty
    return x
class Guard:
    def __init__(self, swallows): self.swallows = swallows
    def __enter__(self): return 2
    def __exit__(self, kind, error, tb):
        if kind is None: return None
        return self.swallows and kind is not Empty
class Boxed:
    def __init__(self, n): self.n = n
    def __add__(self, m): return self.n + m
    def __bool__(self): return self.n > 1
    @property
    def value(self):
        return self.n
def counting(n):
    n = min(n, 3)
    while n > 0:
        got = yield n
        n -= 1
def drive(coroutine):
    try:
        while True: coroutine.send(None)
    except StopIteration as stop:
        return stop.value
class Pause:
    def __await__(self):
        yield
        return 1
"""

NAMES = ("a", "b", "c")


class Writer:
    """Writes a program line by line; `choose(n)` gives a number below n."""

    def __init__(self, choose):
        self.choose = choose
        self.lines = []
        self.functions = []  # names that may be called with two arguments
        self.generators = []

    def put(self, depth, text):
        self.lines += [" " * (2 * depth) + line for line in text.split("\n")]

    def pick(self, *options):
        return options[self.choose(len(options))]

    def name(self):
        return self.pick(*NAMES)

    def expression(self, depth=0):
        a, b = self.name(), self.name()
        options = [
            lambda: str(self.choose(5) - 1),
            lambda: a,
            lambda: f"{a} + {b}",
            lambda: f"{a} // {b}",
            lambda: f"tick({a})",
            lambda: f"[1, 2][{a}]",
            lambda: f"(0 < {a} < {b})",
        ]
        if depth < 2:
            options += [
                lambda: f"({self.expression(depth + 1)} if {a} else {self.expression(depth + 1)})",
                lambda: f"({self.expression(depth + 1)} and\n  {self.expression(depth + 1)})",
                lambda: f"sum(i + {b} for i in {self.iterable(depth + 1)})",
                lambda: f"len([i for i in {self.iterable(depth + 1)} if i != {b}])",
                lambda: f"len({{\n  i: j\n  for i in {self.iterable(depth + 1)}\n  for j in (1, {b})}})",
                lambda: f"(lambda q: q + {self.expression(depth + 1)})({a})",
                lambda: f"tick(\n  {self.expression(depth + 1)})",
                lambda: f"(Boxed({a}) + {b})",
                lambda: f"Boxed({a}).value",
                lambda: f"any(i == {b} for i in (1, 2, 3))",
                lambda: f"next(counting({a}), 0)",
            ]
            if self.functions:
                options.append(lambda: f"{self.pick(*self.functions)}({a}, {self.expression(depth + 1)})")
        return self.pick(*options)()

    def iterable(self, depth=0):
        options = [
            lambda: "(1, 2)",
            lambda: "[]",
            lambda: f"range(min(3, {self.name()}))",
            lambda: f"counting({self.name()})",
        ]
        if self.generators:
            options.append(lambda: f"{self.pick(*self.generators)}({self.name()}, 2)")
        return self.pick(*options)()

    def block(self, depth, inside, size=3):
        """Some statements; `inside` has of loop, function, generator, async what is around."""
        for _ in range(1 + self.choose(size)):
            self.statement(depth, inside)

    def statement(self, depth, inside):
        simple = [self.assign, self.assign, self.call, self.small, self.leave]
        compound = [self.if_, self.for_, self.while_, self.try_, self.with_, self.match_]
        compound += [self.one_line, self.function]
        self.pick(*simple, *(compound if depth < 5 else []))(depth, inside)

    def assign(self, depth, inside):
        target = self.pick(*NAMES, "a, b", "a = c")
        value = self.expression()
        self.put(depth, f"{target} = {value}" if target != "a, b" else f"a, b = ({value}), {self.name()}")

    def call(self, depth, inside):
        self.put(depth, self.pick(f"tick({self.expression()})", f"{self.name()} += {self.expression()}"))

    def small(self, depth, inside):
        a = self.name()
        raising = [f"assert {a}", f"assert {a}, tick(\n  1)", f"raise ValueError({a})"]
        self.put(
            depth,
            self.pick(*raising, "pass", f"del {a}", f"{a} = None", f"({a} := 2)", f"{a}: int = 3", "'text'"),
        )

    def leave(self, depth, inside):
        options = ["pass"]
        if "loop" in inside:
            options += ["break", "continue", f"if {self.name()}: break", f"if {self.name()}: continue"]
        if "function" in inside:
            options += [f"return {self.expression()}" if "agen" not in inside else "return", "return"]
        if "generator" in inside:
            options += [f"yield {self.expression()}", f"{self.name()} = yield {self.name()}"]
            options += [f"yield from {self.iterable()}"] if "async" not in inside else []
        if "async" in inside:
            options += ["await Pause()", f"{self.name()} = await Pause()"]
        self.put(depth, self.pick(*options))

    def if_(self, depth, inside):
        self.put(depth, f"if {self.expression()}:")
        self.block(depth + 1, inside)
        if self.choose(2):
            self.put(depth, f"elif {self.expression()}:")
            self.block(depth + 1, inside)
        if self.choose(2):
            self.put(depth, "else:")
            self.block(depth + 1, inside)

    def for_(self, depth, inside):
        self.put(depth, f"for {self.name()} in {self.iterable()}:")
        self.put(depth + 1, "tick()")
        self.block(depth + 1, inside | {"loop"})
        if self.choose(2):
            self.put(depth, "else:")
            self.block(depth + 1, inside)

    def while_(self, depth, inside):
        condition = self.pick("True", self.expression())
        self.put(depth, f"while {condition}:")
        self.put(depth + 1, "tick()")
        self.block(depth + 1, inside | {"loop"})
        if self.choose(2):
            self.put(depth, "else:")
            self.block(depth + 1, inside)

    def try_(self, depth, inside):
        star = self.pick("", "", "*")
        self.put(depth, "try:")
        self.block(depth + 1, inside)
        handlers = self.choose(3)
        in_handler = inside - {"loop", "function"} if star else inside  # a group's handler must not leave
        in_handler = in_handler | ({"generator"} & inside)
        for _ in range(handlers):
            kind = self.pick("ValueError", "(TypeError,\n    ZeroDivisionError)", "Exception", "LookupError")
            self.put(depth, f"except{star} {kind}{self.pick('', ' as error')}:")
            self.block(depth + 1, in_handler)
            if self.choose(2):
                self.put(depth + 1, "raise")
        if handlers and self.choose(2):
            self.put(depth, "else:")
            self.block(depth + 1, inside)
        if not handlers or self.choose(2):
            self.put(depth, "finally:")
            self.block(depth + 1, inside)

    def with_(self, depth, inside):
        second = self.pick("", ", Guard(False) as b", ", \\\n  Guard(True)")
        self.put(
            depth, f"with Guard({self.pick('True', 'False', self.name())}){self.pick('', ' as c')}{second}:"
        )
        self.block(depth + 1, inside)

    def match_(self, depth, inside):
        self.put(depth, f"match {self.expression()}:")
        for pattern in ("0 | 1", f"int(real=b) if {self.name()}", "[_, *c]", "{'k': a}"):
            if self.choose(2):
                self.put(depth + 1, f"case {pattern}:")
                self.block(depth + 2, inside)
        self.put(depth + 1, "case _:")
        self.block(depth + 2, inside)

    def one_line(self, depth, inside):
        a = self.name()
        body = self.pick(f"{a} = tick({self.name()})", "tick(); pass", f"tick(\n {a})")
        body = f"yield tick({a})" if "generator" in inside and self.choose(2) else body
        self.put(
            depth,
            self.pick(
                f"for {a} in {self.iterable()}: {body}",
                f"while {a} and tick(): {body}",
                f"if {a}: {body}\nelse: pass",
                f"with Guard({a}): {body}",
                f"try: {body}\nexcept ValueError: {a} = 1\nfinally: tick()",
            ),
        )

    def function(self, depth, inside):
        kind = self.pick("def", "def", "generator", "async", "class")
        name = f"f{len(self.lines)}"
        if kind == "class":
            self.put(depth, f"class {name}:")
            self.block(depth + 1, frozenset(), 2)
            return
        if self.choose(2):
            self.put(depth, "@tick\n@tick")
        self.put(depth, f"{'async ' if kind == 'async' else ''}def {name}(a, b, c=1):")
        flags = {"def": {"function"}, "generator": {"function", "generator"}, "async": {"function", "async"}}
        outer = len(self.functions), len(self.generators)
        self.put(depth + 1, "tick()" + ("\nyield a" if kind == "generator" else ""))
        self.block(depth + 1, frozenset(flags[kind]), 4)
        del self.functions[outer[0] :], self.generators[outer[1] :]
        if kind == "def":
            self.functions.append(name)
        elif kind == "generator":
            self.generators.append(name)
        else:
            self.put(depth, f"{self.name()} = drive({name}({self.name()}, 1))")

    def program(self):
        """The source of a program, which calls its function `main` last."""
        self.put(0, PRELUDE.rstrip("\n"))
        for _ in range(self.choose(3)):
            self.function(0, frozenset())
        self.put(0, "def main(a, b, c=2):")
        self.put(1, "tick()")
        self.block(1, frozenset({"function"}), 6)
        self.put(0, "for n in range(4):\n  try: main(n, 3 - n)\n  except Exception: pass")
        return "\n".join(self.lines) + "\n"


@st.composite
def programs(draw, writer=Writer):
    """Random programs, as a `Writer` writes them."""
    return writer(lambda n: draw(st.integers(0, n - 1))).program()
