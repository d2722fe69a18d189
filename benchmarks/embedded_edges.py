"""Single statements with values at the edges, asked of the embedded model: right, "not sure", or wrong.

python benchmarks/embedded_edges.py [--count 200] [--seed 0] [--only index ...] [--json]

Each is a function of one statement, called with drawn values: lengths of containers around those that were
trained on, positions at and behind both ends, names that repeat, neighbouring characters, numbers beside
powers of ten. What must not be is an answer that is wrong and sure: the last column is how sure the surest
wrong one is (of all its steps the least sure one). CPython runs here, in this process.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from worldline.cli.progress import counting
from worldline.models import model, preferred
from worldline.record.entry import as_marked
from worldline.report.bench_view import table
from worldline.rewrite import rewrite
from worldline.rollout.model import Rollout
from worldline.rollout.options import RolloutOptions
from worldline.rollout.rollout import predict_all
from worldline.trace.model import Entry, Program

NAMES = "abcdefghijklmnop"
TYPES = ("int", "str", "bool", "list", "tuple", "dict", "set", "frozenset", "float", "bytes")
AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Statement:
    """Lines of a function that returns `x`, and the values of its parameters."""

    text: str
    values: dict[str, object]

    @property
    def source(self) -> str:
        lines = [f"    {line}" for line in (*self.text.split("\n"), "return x")]
        return "\n".join([f"def f({', '.join(self.values)}):", *lines, ""])

    @property
    def program(self) -> Program:
        given = ", ".join(map(repr, self.values.values()))
        return Program(self.source, Entry("call", f"f({given})"))

    def outcome(self) -> tuple[str, str]:
        """As CPython has it: how it ends, and the value or the name of the exception."""
        space: dict[str, Callable] = {}
        exec(self.source, space)  # ours, drawn below
        copied = eval(repr(tuple(self.values.values())))
        try:
            return "returned", repr(space["f"](*copied))
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            return "raised", type(error).__name__


def long_list(dice: Random, most: int = 130) -> list[int]:
    """As long as the longest that can be shown, or near a power of two or ten, or short."""
    size = dice.choice(
        (0, 1, 2, 7, 9, 10, 11, 15, 16, 17, 31, 32, 33, 48, 49, 50, 63, 64, 65, 99, 100, 101, 126, 127, 128)
    )
    return [dice.randrange(100) for _ in range(min(size, most))]


def edge(dice: Random, size: int) -> int:
    """A position at one of the ends, or just behind it, or anywhere."""
    return dice.choice(
        (
            0,
            -1,
            1,
            size - 1,
            size,
            -size,
            -size - 1,
            size + 1,
            *(dice.randint(-size - 1, size) for _ in range(6)),
        )
    )


def number(dice: Random) -> int:
    """Beside a power of ten or of two, or with runs of equal digits; of both signs."""
    drawn = dice.randrange(5)
    if drawn == 0:
        value = 10 ** dice.randrange(19) + dice.randint(-2, 2)
    elif drawn == 1:
        value = 2 ** dice.randrange(63) + dice.randint(-2, 2)
    elif drawn == 2:
        value = int(dice.choice("123456789") * dice.randint(1, 18))
    else:
        value = dice.randrange(10 ** dice.randint(1, 12))
    return -value if dice.random() < 0.3 else value


def near(dice: Random) -> tuple[int, int]:
    """Two numbers, often nearly alike."""
    left = number(dice)
    return left, dice.choice((left, left + 1, left - 1, -left, left * 10, left // 10, number(dice)))


def index(dice: Random) -> Statement:
    xs = long_list(dice)
    held = dice.choice((xs, tuple(xs), "".join(chr(97 + each % 26) for each in xs)))
    return Statement("x = s[i]", {"s": held, "i": edge(dice, len(xs))})


def stored(dice: Random) -> Statement:
    xs = long_list(dice)
    return Statement("s[i] = v\nx = s", {"s": xs, "i": edge(dice, len(xs)), "v": dice.randrange(1000)})


def ends(dice: Random) -> Statement:
    xs = long_list(dice)
    text = dice.choice(("s.append(v)\nx = s", "v = s.pop()\nx = s", "x = len(s)", "x = not s"))
    return Statement(text, {"s": xs, "v": dice.randrange(1000)})


def looped(dice: Random) -> Statement:
    xs = long_list(dice, 33)
    return Statement("x = 0\nfor v in s:\n    x = x + v", {"s": dice.choice((xs, tuple(xs)))})


def unpacked(dice: Random) -> Statement:
    names = NAMES[: dice.randint(1, 12)]
    if dice.random() < 0.5:  # as in `_, _, ending = parts`
        names = [dice.choice(names) for _ in names]
    size = max(0, len(names) + dice.choice((0, 0, 0, 0, 1, -1, 2)))
    xs = [dice.randrange(100) for _ in range(size)]
    return Statement(f"{', '.join(names)}{',' * (len(names) == 1)} = s\nx = {dice.choice(names)}", {"s": xs})


def assigned(dice: Random) -> Statement:
    names = NAMES[: dice.randint(2, 12)]
    taken = [dice.choice(names) for _ in names] if dice.random() < 0.5 else dice.sample(names, len(names))
    values = {name: dice.randrange(100) for name in names}
    return Statement(f"{', '.join(names)} = {', '.join(taken)}\nx = {dice.choice(names)}", values)


def displayed(dice: Random) -> Statement:
    values: dict[str, object] = {name: dice.randrange(100) for name in NAMES[:6]} | {"h": (1, 2), "i": "ab"}
    given = [*values, *(repr(dice.randrange(20)) for _ in range(3)), "'c'", "'de'", "None", "True"]
    parts = [dice.choice(given) for _ in range(dice.randint(1, 14))]
    opening, closing = dice.choice(("[]", "()", "{}"))
    end = "," * (opening == "(" and len(parts) == 1)
    return Statement(f"x = {opening}{', '.join(parts)}{end}{closing}", values)


def displayed_dict(dice: Random) -> Statement:
    drawn = displayed(dice)
    parts = drawn.text[5:-1].rstrip(",").split(", ")
    pairs = ", ".join(f"{part}: {dice.choice(parts)}" for part in parts)
    return Statement(f"x = {{{pairs}}}", drawn.values)


def typed(dice: Random) -> Statement:
    held = dice.choice(
        (chr(dice.randrange(128)), chr(dice.randrange(128)), number(dice), True, None, "", "ab", [], (1,), {})
    )
    kind = dice.choice(TYPES)
    return Statement(
        dice.choice(("x = type(v)", f"x = isinstance(v, {kind})", f"x = isinstance(v, ({kind}, str))")),
        {"v": held},
    )


def types_as_values(dice: Random) -> Statement:
    """Python's types among literals and names, held against each other, asked for their own type."""
    one, other = dice.choice(TYPES), dice.choice(TYPES)

    def item() -> str:
        literal = dice.choice((0, 7, "a", "", None, True, "word"))
        return dice.choice((dice.choice(TYPES), dice.choice(TYPES), "v", repr(literal)))

    items = ", ".join(item() for _ in range(dice.randint(2, 6)))
    texts = (f"x = [{items}]", f"x = ({items})", f"x = {one}", f"a, b = {one}, {item()}\nx = [b, a]")
    texts += (f"x = {{{one}: v, 'k': {item()}}}", f"t = {{{one}: 'a', v: {other}}}\nx = t.get({other})")
    texts += (f"t = {one}\nx = t is {other}", f"t = {one}\nx = {other} == t", f"t = {one}\nx = type(t)")
    texts += (f"x = isinstance({one}, {other})", f"x = not {one}")
    return Statement(dice.choice(texts), {"v": dice.randrange(1000)})


def ordered(dice: Random) -> Statement:
    first = dice.randrange(32, 127)
    other = max(32, min(126, first + dice.choice((-1, 0, 1, -32, 32, 5))))
    return Statement(
        f"x = c {dice.choice(('<', '<=', '>', '>=', '==', '!='))} d", {"c": chr(first), "d": chr(other)}
    )


def compared(dice: Random) -> Statement:
    a, b = near(dice)
    return Statement(f"x = a {dice.choice(('<', '<=', '>', '>=', '==', '!='))} b", {"a": a, "b": b})


def added(dice: Random) -> Statement:
    a, b = near(dice)
    return Statement(f"x = a {dice.choice('+-')} b", {"a": a, "b": b})


def multiplied(dice: Random) -> Statement:
    return Statement(
        "x = a * b", {"a": number(dice), "b": dice.choice((number(dice), dice.randint(-12, 12)))}
    )


def divided(dice: Random) -> Statement:
    by = dice.choice((number(dice), dice.randint(-12, 12), 10 ** dice.randrange(5)))
    return Statement(f"x = a {dice.choice(('//', '%'))} b", {"a": number(dice), "b": by})


def in_bits(dice: Random) -> Statement:
    a, b = abs(number(dice)), abs(number(dice))
    sign = dice.choice(("&", "|", "^", "<<", ">>", "**"))
    small = sign in ("<<", ">>", "**")
    return Statement(f"x = a {sign} b", {"a": a % 100 if sign == "**" else a, "b": b % 12 if small else b})


def keyed(dice: Random) -> Statement:
    keys = [
        *range(dice.randint(0, 9)),
        *(chr(97 + each) for each in range(dice.randint(0, 9))),
        (1, 2),
        True,
        None,
        "",
    ]
    held = {key: dice.randrange(100) for key in dice.sample(keys, dice.randint(0, len(keys)))}
    key = dice.choice((*keys, "zz", -1, False))
    text = dice.choice(("x = s[k]", "s[k] = v\nx = s", "x = k in s", "del s[k]\nx = s", "x = len(s)"))
    return Statement(text, {"s": held, "k": key, "v": dice.randrange(100)})


def tested(dice: Random) -> Statement:
    held = dice.choice(
        (
            0,
            1,
            -1,
            True,
            False,
            None,
            "",
            " ",
            "0",
            [],
            [0],
            (),
            (None,),
            {},
            {0: 0},
            number(dice),
            long_list(dice),
        )
    )
    return Statement(
        dice.choice(("x = 1\nif v:\n    x = 2", "x = not v", "x = v and 1", "x = v or 1")), {"v": held}
    )


def called(dice: Random) -> Statement:
    return Statement(
        dice.choice(("x = ord(c)", "x = chr(n)", "x = str(n)", "x = int(t)", "x = abs(n)")),
        {"c": chr(dice.randrange(32, 127)), "n": dice.randrange(32, 127), "t": str(abs(number(dice)))},
    )


FAMILIES: dict[str, Callable[[Random], Statement]] = {
    "index": index,
    "store at an index": stored,
    "append, pop, len, not": ends,
    "for": looped,
    "unpack": unpacked,
    "assign several": assigned,
    "list, tuple or set of names and literals": displayed,
    "dict of names and literals": displayed_dict,
    "type, isinstance": typed,
    "types as values": types_as_values,
    "order of characters": ordered,
    "compare numbers": compared,
    "add, subtract": added,
    "multiply": multiplied,
    "divide": divided,
    "bits, shifts, powers": in_bits,
    "dict": keyed,
    "truth": tested,
    "ord, chr, str, int, abs": called,
}


@dataclass(frozen=True, slots=True)
class Said:
    """What came of one statement."""

    statement: Statement
    verdict: str  # right, not sure, wrong
    given: str
    sure: float  # of its least sure step


def judged(statement: Statement, said: Rollout) -> Said:
    """Held against CPython."""
    ending = said.trace.ending
    sure = min((each.step for each in said.sureness if each.step is not None), default=0.0)
    if not ending.is_complete:
        return Said(statement, "not sure", "", sure)
    kind, value = statement.outcome()
    given = ending.value or ""
    is_same = given == value if kind == "returned" else given.partition("(")[0] == value
    return Said(statement, "right" if (ending.kind, is_same) == (kind, True) else "wrong", given, sure)


def asked(statements: Sequence[Statement]) -> Iterator[Said]:
    """Each as `worldline predict` asks it, many at once."""
    usual = preferred("embedded")
    options = RolloutOptions("grounded", context=usual.context, stop_below=usual.stop_below, max_tokens=10**9)
    network = model("embedded")
    for begin in range(0, len(statements), AT_ONCE):
        part = statements[begin : begin + AT_ONCE]
        programs = [rewrite(as_marked(each.program)).program for each in part]
        yield from map(judged, part, predict_all(programs, network, options))


def row(name: str, told: Sequence[Said]) -> dict:
    """A family as plain JSON."""
    wrong = sorted((each for each in told if each.verdict == "wrong"), key=lambda each: -each.sure)
    examples = [
        {
            "statement": each.statement.text,
            "values": repr(each.statement.values),
            "said": each.given,
            "sure": each.sure,
        }
        for each in wrong
    ]
    counts = {
        verdict: sum(each.verdict == verdict for each in told) for verdict in ("right", "not sure", "wrong")
    }
    return {"family": name, "n": len(told), **counts, "examples": examples}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="statements of each family")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", choices=FAMILIES, help="these families")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = []
    with counting() as bar:
        names = given.only or list(FAMILIES)
        task = bar.add_task("statements", total=given.count * len(names))
        for name in names:
            drawn = [FAMILIES[name](Random(f"{name} {given.seed} {at}")) for at in range(given.count)]
            told = []
            for each in asked(drawn):
                told.append(each)
                bar.advance(task)
            found.append(row(name, told))
    print(json.dumps(found) if given.json else "\n".join(shown(found)))


def shown(found: Sequence[dict]) -> list[str]:
    """As Markdown."""
    head = ["statements", "n", "right", "not sure", "wrong", "surest wrong one"]
    cells = [
        [
            each["family"],
            *(str(each[key]) for key in ("n", "right", "not sure", "wrong")),
            _surest(each["examples"]),
        ]
        for each in found
    ]
    return table([head, *cells])


def _surest(wrong: Sequence[dict]) -> str:
    if not wrong:
        return ""
    return f"{wrong[0]['sure']:.3f}: `{wrong[0]['statement']}` with `{wrong[0]['values']}`".replace(
        "\n", "; "
    )


if __name__ == "__main__":
    main()
