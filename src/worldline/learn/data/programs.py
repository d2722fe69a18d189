"""This file is random well-typed programs: functions with loops, branches, calls, handlers and recursion.

Every program ends: loops go over what is there or count down, recursion goes down to a bound. One of some
thousands takes longer than anybody waits: a loop inside of another makes the list longer that both go over.
Operations that may fail stand inside of handlers.
"""

from dataclasses import dataclass, field
from random import Random

from worldline.learn.data import draws
from worldline.trace.model import Entry, Program

TYPES = ("int", "str", "bool", "ints", "words", "table", "pair")
DEEPEST = 2
WORDS = ("ab", "cat", "Lemon", "x1", "tree", "oo", "Zig", "mn", "sky", "Be")


def program(seed: int, statements: int = 8) -> Program:
    """One program, which `main` begins."""
    dice = Random(f"program {seed}")
    helper = dice.choice((_recursive, _helper))(dice)
    maker = _Maker(dice, {"n": "int", "text": "str", "nums": "ints"}, helper[0])
    body = maker.block(statements, 1)
    names = ", ".join(dice.sample(sorted(maker.names), min(3, len(maker.names))))
    arguments = f"{dice.randrange(1, 9)}, {draws.text(dice, dice.randrange(3, 9))!r}, {_numbers(dice)}"
    source = (
        f"{helper[1]}\n\ndef f(n, text, nums):\n{body}    return {names}\n\n\n"
        f"def main():  # << START_OF_TRACE\n    return f({arguments})\n"
    )
    return Program(source, Entry("function", "main"), f"random{seed}.py")


def _numbers(dice: Random) -> list[int]:
    return [draws.integer(dice, 3) for _ in range(dice.randrange(2, 6))]


def _recursive(dice: Random) -> tuple[str, str]:
    """A function that calls itself, and its name."""
    name = dice.choice(("walk", "fold", "climb"))
    step, base = dice.choice((1, 2)), dice.randrange(3)
    combine = dice.choice(
        (f"k + {name}(k - {step})", f"{name}(k - {step}) + {base} * k", f"{name}(k - {step}) - k")
    )
    text = f"def {name}(k):\n    if k <= {base} or k > 12:\n        return {dice.randrange(5)}\n"
    text += f"    return {combine}\n"
    return name, text


def _helper(dice: Random) -> tuple[str, str]:
    """A function of one number, and its name."""
    maker = _Maker(dice, {"k": "int"}, "")
    body = maker.block(2, 1, only="int")
    return "step", f"def step(k):\n{body}    return {maker.expression('int')}\n"


@dataclass(slots=True)
class _Maker:
    """Writes statements; knows the names that are bound, with their types."""

    dice: Random
    names: dict[str, str]
    helper: str
    made: int = 0
    running: list[str] = field(default_factory=list)  # names that a loop is over: they stay as they are
    leaves: tuple[str, ...] = ()  # how the loop around may be left

    def block(self, count: int, depth: int, only: str = "") -> str:
        """Statements at a depth."""
        return "".join(self.statement(depth, only) for _ in range(count))

    def statement(self, depth: int, only: str) -> str:
        space = "    " * depth
        drawn = self.dice.random()
        if not only and depth <= DEEPEST:
            if drawn < 0.16:
                return self.branch(depth, space)
            if drawn < 0.34:
                return self.loop(depth, space)
            if drawn < 0.4:
                return self.countdown(depth, space)
            if drawn < 0.45:
                return self.attempt(space)
            if drawn < 0.49:
                return self.inner(space)
        if not only and self.leaves and drawn > 0.9:
            return f"{space}if {self.expression('bool')}:\n{space}    {self.dice.choice(self.leaves)}\n"
        if not only and drawn < 0.55:
            return self.change(space)
        kind = only or self.dice.choice(TYPES)
        shown = self.expression(kind)
        return f"{space}{self.fresh(kind)} = {shown}\n"

    def fresh(self, kind: str) -> str:
        """A name to bind: a new one, or one of the same type."""
        known = [name for name, each in self.names.items() if each == kind and name not in self.running]
        if known and self.dice.random() < 0.4:
            return self.dice.choice(known)
        name = f"v{self.made}"
        self.made += 1
        self.names[name] = kind
        return name

    def inside(
        self, count: int, depth: int, bound: dict[str, str], leaves: tuple[str, ...] | None = None
    ) -> str:
        """A block whose own names are not known after it; of a loop, with the ways to leave it."""
        kept, left = dict(self.names), self.leaves
        self.names.update(bound)
        self.leaves = left if leaves is None else leaves
        text = self.block(count, depth)
        self.names, self.leaves = kept, left
        return text

    def branch(self, depth: int, space: str) -> str:
        text = f"{space}if {self.expression('bool')}:\n{self.inside(self.dice.choice((1, 2)), depth + 1, {})}"
        if self.dice.random() < 0.5:
            text += f"{space}else:\n{self.inside(1, depth + 1, {})}"
        return text

    def loop(self, depth: int, space: str) -> str:
        kind = self.dice.choice(("ints", "str", "words", "range", "enumerate", "table"))
        count = self.dice.choice((1, 2))
        if kind == "range":
            header, bound = f"for i{depth} in range({self.dice.randrange(2, 5)}):", {f"i{depth}": "int"}
        elif kind == "enumerate":
            header = f"for i{depth}, c{depth} in enumerate({self.atom('str')}):"
            bound = {f"i{depth}": "int", f"c{depth}": "str"}
        elif kind == "table":
            header = f"for k{depth}, y{depth} in list({self.atom('table')}.items()):"
            bound = {f"k{depth}": "str", f"y{depth}": "int"}
        else:
            inner = {"ints": "int", "str": "str", "words": "str"}[kind]
            header, bound = f"for x{depth} in list({self.atom(kind)}):", {f"x{depth}": inner}
        self.running += bound
        text = f"{space}{header}\n{self.inside(count, depth + 1, bound, ('break', 'continue'))}"
        self.running = [name for name in self.running if name not in bound]
        return text

    def countdown(self, depth: int, space: str) -> str:
        name = f"w{depth}"
        self.running.append(name)
        body = self.inside(1, depth + 1, {name: "int"}, ("break",))
        self.running.remove(name)
        start = self.dice.randrange(2, 5)
        return f"{space}{name} = {start}\n{space}while {name} > 0:\n{body}{space}    {name} -= 1\n"

    def attempt(self, space: str) -> str:
        """What may fail, and what is done then."""
        shown, error = self.dice.choice(
            (
                (f"{self.atom('ints')}[{self.atom('int')}]", "IndexError"),
                (f"{self.atom('table')}[{self.atom('str')}]", "KeyError"),
                (f"{self.expression('int', 1)} // ({self.atom('int')} % 3)", "ZeroDivisionError"),
            )
        )
        other = self.expression("int")
        name = self.fresh("int")
        return (
            f"{space}try:\n{space}    {name} = {shown}\n{space}except {error}:\n{space}    {name} = {other}\n"
        )

    def inner(self, space: str) -> str:
        """A function or a generator inside, which reads names of the one around it, and a call of it."""
        name = f"g{self.made}"
        kept = dict(self.names)
        self.names["k"] = "int"
        shown = self.expression("int")
        self.names = kept
        few = self.dice.randrange(1, 5)
        if self.dice.random() < 0.5:
            called = f"{self.fresh('int')} = {name}({few})"
            return f"{space}def {name}(k):\n{space}    return {shown}\n{space}{called}\n"
        walked = self.dice.choice(("list({})", "[next({})]", "sorted({})")).format(f"{name}({few})")
        called = f"{self.fresh('ints')} = {walked}"
        loop = f"{space}    for k in range(k):\n{space}        yield {shown}\n"
        return f"{space}def {name}(k):\n{loop}{space}{called}\n"

    def change(self, space: str) -> str:
        """A value that is changed in place."""
        dice = self.dice
        held = [name for name, kind in self.names.items() if kind in ("ints", "words", "table", "int", "str")]
        name = dice.choice([each for each in held if each not in self.running] or ["n"])
        match self.names.get(name):
            case "ints":
                forms = (
                    f".append({self.expression('int')})",
                    ".sort()",
                    ".reverse()",
                    f".insert(0, {self.atom('int')})",
                )
                return f"{space}{name}{dice.choice(forms)}\n"
            case "words":
                return f"{space}{name}.append({self.expression('str')})\n"
            case "table":
                return f"{space}{name}[{self.expression('str')}] = {self.expression('int')}\n"
            case "str":
                return f"{space}{name} = ({name} + {self.atom('str')})[:20]\n"
        return f"{space}{name} {dice.choice(('+=', '-='))} {self.expression('int')}\n"

    def atom(self, kind: str) -> str:
        """A name or a literal."""
        known = [name for name, each in self.names.items() if each == kind]
        if known and self.dice.random() < 0.75:
            return self.dice.choice(known)
        match kind:
            case "int":
                return str(self.dice.randrange(20))
            case "str":
                return repr(self.dice.choice(WORDS))
            case "bool":
                return self.dice.choice(("True", "False"))
            case "ints":
                return str(_numbers(self.dice))
            case "words":
                return str(self.dice.sample(WORDS, self.dice.randrange(1, 4)))
            case "table":
                return str({word: self.dice.randrange(10) for word in self.dice.sample(WORDS, 2)})
        return f"({self.dice.randrange(10)}, {self.dice.choice(WORDS)!r})"

    def expression(self, kind: str, depth: int = 0) -> str:
        """Something of a type."""
        if depth >= DEEPEST or self.dice.random() < 0.2:
            return self.atom(kind)
        forms = EXPRESSIONS[kind] + (EXPRESSIONS["call"] if kind == "int" and self.helper else ())
        text = self.dice.choice(forms)
        for part in (*TYPES, "few", "many"):
            while f"<{part}>" in text:
                text = text.replace(f"<{part}>", self.part(part, depth), 1)
        return text.replace("<helper>", self.helper)

    def part(self, kind: str, depth: int) -> str:
        if kind == "few":
            return str(self.dice.randrange(1, 7))
        if kind == "many":
            return str(self.dice.randrange(11, 400))
        text = self.expression(kind, depth + 1)
        return f"({text})" if " " in text else text


EXPRESSIONS: dict[str, tuple[str, ...]] = {
    "int": (
        *("<int> + <int>", "<int> - <int>", "<int> * <few>", "<int> // <few>", "<int> % <few>", "-<int>"),
        *(
            "len(set(<ints>))",
            "len(<str>)",
            "len(<ints>)",
            "len(<table>)",
            "sum(<ints>)",
            "max([<int>, <int>])",
            "abs(<int>)",
        ),
        *("<str>.count('a')", "<str>.find('b')", "<table>.get(<str>, <few>)", "<ints>.count(<few>)"),
        *("<pair>[0]", "(<int> if <bool> else <int>)", "<int> * <int> % 1009", "<int> // -<many>"),
        *("<int> % <many>", "<int> // <many>", "<int> % 50 ** 2", "abs(<int>) ^ <many>", "<few> << <few>"),
    ),
    "call": ("<helper>(<few>)", "<helper>(<int> % 9)"),
    "str": (
        *("<str> + <str>", "<str>.upper()", "<str>.lower()", "<str>[::-1]", "<str>[1:]", "<str>[:<few>]"),
        *("<str>.replace('a', 'bo')", "<str>.strip('ab')", "','.join(<words>)", "str(<int>)", "<pair>[1]"),
        *("<str>.title()", "<str>.zfill(<few>)", "<str>.rjust(<few>, '.')"),
    ),
    "bool": (
        *(
            "<int> < <int>",
            "<int> == <int>",
            "<int> >= <few>",
            "<str> == <str>",
            "not <bool>",
            "<str> in <table>",
        ),
        *(
            "<int> in set(<ints>)",
            "<int> in <ints>",
            "'a' in <str>",
            "<str>.startswith('a')",
            "<str>.isalpha()",
            "<bool> and <bool>",
        ),
        *("<bool> or <bool>", "<str>.islower()", "any(x > <few> for x in <ints>)"),
    ),
    "ints": (
        *(
            "[x + <few> for x in <ints>]",
            "[x for x in <ints> if x % 2 == 0]",
            "sorted(<ints>)",
            "<ints>[::-1]",
        ),
        *(
            "sorted(set(<ints>))",
            "<ints> + [<int>]",
            "list(range(<few>))",
            "[len(w) for w in <words>]",
            "<ints>[1:]",
        ),
    ),
    "words": (
        "<str>.split('a')",
        "list(<str>)",
        "[w.upper() for w in <words>]",
        "<words> + [<str>]",
        "<words>[:2]",
    ),
    "table": ("{w: len(w) for w in <words>}", "dict(<table>)"),
    "pair": ("(<int>, <str>)",),
}
