"""This file is random programs over built-in values: mostly well-typed, sometimes not, with their calls."""

from random import Random

TEXTS = ["", "a", "ab", "Ba na na", "a,b,,c", "  x y ", "12", "-7", "ß Σ", "aaa", "Tab\there", "x=1\ny=2"]
WORDS = ["a", "", " ", ",", "na", "A", "b", "xx", "1", "="]
INTS = [0, 1, -1, 2, 3, -2, 7, True]

TO_TEXT = [
    "{s}.upper()",
    "{s}.lower()",
    "{s}.title()",
    "{s}.swapcase()",
    "{s}.capitalize()",
    "{s}.strip()",
    "{s}.strip({s})",
    "{s}.rstrip({w})",
    "{s}[:30].replace({w}, {w}[:4])",
    "{s}[:30].replace({w}, {w}[:4], {i})",
    "{s}.center({i} % 12, '*')",
    "{s}.ljust({i} % 12)",
    "{s}.rjust({i} % 12, {w})",
    "{s}.zfill({i} % 12)",
    "{s}.expandtabs({i} % 9)",
    "{s}.removeprefix({w})",
    "{s}.removesuffix({w})",
    "{s}[:3].join({ls}[:6])",
    "{s}[:30] + {s}[:30]",
    "{s}[:9] * ({i} % 4)",
    "{s}[{i}]",
    "{s}[{i}:]",
    "{s}[:{i}]",
    "{s}[::{i}]",
    "str({i})",
    "str({l}[:5])",
    "repr({s}[:30])",
    "f'{{{s}:.9}}-{{{i}:>3}}{{{s}[:9]!r}}'",
    "'{{}}:{{}}'.format({s}, {i})",
    "'%s/%d' % ({s}, {i})",
    "{s}.translate(str.maketrans('ab', 'xy'))",
    "''.join(sorted({s}))",
    "''.join(c for c in {s} if c != {w})",
    "{s} if {b} else {s}",
    "max({s}, {s})",
    "chr(97 + {i} % 26)",
]
TO_INT = [
    "len({s})",
    "len({l})",
    "{s}.find({w})",
    "{s}.rfind({w}, {i})",
    "{s}.index({w})",
    "{s}.count({w})",
    "{l}.count({i})",
    "{l}.index({i})",
    "{i} + {i}",
    "{i} - {i}",
    "{i} * {i} % 1000",
    "{i} // {i}",
    "{i} % {i}",
    "({i} % 10) ** 2",
    "sum({l})",
    "max({l})",
    "min({l}, default={i})",
    "abs({i})",
    "int({s})",
    "{l}[{i}]",
    "{l}.pop()",
    "{d}.get({s}, {i})",
    "{d}[{s}]",
    "sum(x * 2 for x in {l})",
    "sum(1 for c in {s} if c.isalpha())",
    "len(set({l}))",
    "divmod({i}, 7)[1]",
    "len({d}.keys())",
]
TO_LIST = [
    "list({l})",
    "{l}[:9] + {l}[:9]",
    "{l}[:5] * 2",
    "{l}[{i}:]",
    "{l}[::-1]",
    "sorted({l})",
    "sorted({l}, reverse={b})",
    "list(reversed({l}))",
    "[x + {i} for x in {l}]",
    "[x for x in {l} if x > {i}]",
    "[len(w) for w in {ls}]",
    "list(map(abs, {l}))",
    "list(filter(None, {l}))",
    "[i * x for i, x in enumerate({l}, {i})]",
    "[x + y for x, y in zip({l}, {l})]",
    "list(range({i} % 7))",
    "list({d}.values())",
    "[ord(c) for c in {s}]",
    "{l}.copy()",
    "sorted(set({l}), key=lambda v: -v)",
]
TO_WORDS = [
    "{s}.split()",
    "{s}.split({w})",
    "{s}.rsplit({w}, {i})",
    "{s}.splitlines()",
    "list({s})",
    "list({s}.partition({w}))",
    "[w.upper() for w in {ls}]",
    "sorted({ls}, key=len)",
    "sorted({d})",
    "[k for k, v in {d}.items() if v]",
    "list(dict.fromkeys({ls}))",
    "sorted({ls}, key=str.lower)",
    "list(map(str, {l}))",
]
TO_DICT = [
    "dict(zip({ls}, {l}))",
    "{{w: len(w) for w in {ls}}}",
    "{d}.copy()",
    "{{**{d}, {s}: {i}}}",
    "dict.fromkeys({ls}, {i})",
    "{d} | {d}",
]
TO_BOOL = [
    "{s} == {s}",
    "{s} < {s}",
    "{w} in {s}",
    "{w} not in {s}",
    "{i} in {l}",
    "{l} == {l}",
    "{l} < {l}",
    "{d} == {d}",
    "{s}.startswith({w})",
    "{s}.endswith(({w}, {w}))",
    "{s}.isalpha()",
    "{s}.isdigit()",
    "{s}.isupper()",
    "{s}.istitle()",
    "not {b}",
    "{b} and {b}",
    "{b} or {b}",
    "{i} < {i} <= {i}",
    "any(x > {i} for x in {l})",
    "all({l})",
    "{s} in {d}",
    "isinstance({i}, int)",
    "bool({s})",
]
DOES = [
    "{lv}.append({i})",
    "{lv}.extend({l}[:9])",
    "{lv}.insert({i}, {i})",
    "{lv}.remove({i})",
    "{lv}.reverse()",
    "{lv}.sort()",
    "{lv}.sort(key=lambda v: v % 3, reverse={b})",
    "{lv} += {l}[:9]",
    "{lv}[{i}] = {i}",
    "{lv}[{i}:{i}] = {l}[:4]",
    "del {lv}[{i}]",
    "del {lv}[{i}:]",
    "{dv}[{s}] = {i}",
    "{dv}.update({d})",
    "{dv}.setdefault({s}, {i})",
    "{dv}.pop({s}, None)",
    "{dv}.popitem()",
    "{dv}.clear()",
    "{sv} += {s}[:20]",
    "{sv} = {s}[:6] * 2",
    "{iv} += {i}",
    "{iv} -= {i}",
    "print({s}, {i})",
    "{sv}, {iv} = {s}, {i}",
]
MAKES = {"s": TO_TEXT, "i": TO_INT, "l": TO_LIST, "ls": TO_WORDS, "d": TO_DICT, "b": TO_BOOL}
NAMES = {"s": ["s", "t"], "i": ["i", "j"], "l": ["l", "m"], "ls": ["w"], "d": ["d"], "b": ["b"]}


class Maker:
    """Makes one program."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice

    def value(self, kind: str, depth: int) -> str:
        """An expression of a type."""
        if self.dice.random() < 0.02:
            kind = self.dice.choice(list(MAKES))  # an error, or luck
        if kind == "w":
            return repr(self.dice.choice(WORDS)) if self.dice.random() < 0.7 else self.value("s", depth)
        if depth <= 0 or self.dice.random() < 0.3:
            return self.dice.choice(NAMES[kind]) if self.dice.random() < 0.8 else self.literal(kind)
        return f"({self.filled(self.dice.choice(MAKES[kind]), depth - 1)})"

    def filled(self, template: str, depth: int) -> str:
        """A template with values in its places."""
        found, at = "", 0
        while at < len(template):
            if template.startswith("{{", at) or template.startswith("}}", at):
                found, at = found + template[at], at + 2
            elif template[at] == "{":
                end = template.index("}", at)
                name = template[at + 1 : end]
                is_variable = len(name) == 2 and name.endswith("v")
                plain = "f'" in template  # no quotes inside an f-string before 3.12
                made = (
                    self.dice.choice(NAMES[name[0]])
                    if is_variable
                    else self.value(name, -9 if plain else depth)
                )
                if plain and not is_variable:
                    made = self.dice.choice(NAMES[name])
                found, at = found + made, end + 1
            else:
                found, at = found + template[at], at + 1
        return found

    def literal(self, kind: str) -> str:
        """A constant of a type."""
        dice = self.dice
        match kind:
            case "s":
                return repr(dice.choice(TEXTS))
            case "i":
                return f"({dice.choice(INTS)!r})"  # an error may ask for an attribute of it
            case "b":
                return dice.choice(["True", "False"])
            case "l":
                return repr([dice.choice(INTS) for _ in range(dice.randrange(5))])
            case "ls":
                return repr([dice.choice(TEXTS) for _ in range(dice.randrange(4))])
        return repr({dice.choice(TEXTS): dice.choice(INTS) for _ in range(dice.randrange(4))})

    def block(self, depth: int, indent: str) -> list[str]:
        """Some statements."""
        lines: list[str] = []
        for _ in range(self.dice.randint(1, 3)):
            lines += self.statement(depth, indent)
        return lines

    def statement(self, depth: int, indent: str) -> list[str]:
        """One statement."""
        kind = self.dice.choice([*MAKES, "do", "do", "if", "for", "while", "try"])
        if kind in MAKES:
            return [f"{indent}{self.dice.choice(NAMES[kind])} = {self.value(kind, 2)}"]
        if kind == "do" or depth <= 0:
            return [indent + self.filled(self.dice.choice(DOES), 1)]
        inner = self.block(depth - 1, indent + "    ")
        match kind:
            case "if":
                other = self.block(depth - 1, indent + "    ")
                return [f"{indent}if {self.value('b', 2)}:", *inner, f"{indent}else:", *other]
            case "for":
                header = self.filled(
                    self.dice.choice(
                        [
                            "for i in range({i} % 5)",
                            "for i in range(len({s}) % 6)",
                            "for i in range(4, {i} % 3, -1)",
                            "for t in {s}[:4]",
                            "for i in {l}[:4]",
                            "for i, t in enumerate({s}[:3])",
                            "for t, j in list({d}.items())",
                        ]
                    ),
                    1,
                )
                return [f"{indent}{header}:", *inner, f"{indent}    if {self.value('b', 1)}: break"]
            case "while":
                left = f"n{depth}"  # a loop inside has a counter of its own
                return [
                    f"{indent}{left} = 3",
                    f"{indent}while {left} > 0 and {self.value('b', 1)}:",
                    f"{indent}    {left} -= 1",
                    *inner,
                ]
        return [
            f"{indent}try:",
            *inner,
            f"{indent}except (ValueError, IndexError) as e:",
            f"{indent}    s = str(e)",
        ]


def typed_program(seed: int) -> tuple[str, tuple[str, ...]]:
    """A program and calls of it."""
    maker = Maker(Random(seed))
    body = [
        "    j, m, w, b = i, list(l), s.split(), bool(d)",
        *maker.block(2, "    "),
        *maker.block(1, "    "),
    ]
    source = "\n".join(["def f(s, t, i, l, d):", *body, "    return s, t, i, j, l, m, w, d, b"]) + "\n"
    kinds = ("s", "s", "i", "l", "d")
    calls = tuple(f"f({', '.join(maker.literal(kind) for kind in kinds)})" for _ in range(4))
    return source, calls
