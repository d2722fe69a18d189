"""This file is generated arguments for every function of `str` in microcode, the receiver first."""

import operator
import string
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st


class Text(str):
    """A text of another type."""


class Position:
    """An index that is no int."""

    def __index__(self):
        return 2

    def __repr__(self):
        return "Position()"


class Shown:
    """A value with a will of its own about how it is shown."""

    def __str__(self):
        return "<str>"

    def __repr__(self):
        return "<repr>"

    def __format__(self, spec):
        return f"<format {spec}>"


STRANGE = "ßΣσςİıǅǆŉéÀ\u0345ʰªⅷⓐ\u2028\x85\xa0\x1c\x1f\x7f\x00٣²½字🙂\ud800·_\u0301ﬁ"
FEW = st.text("ab", max_size=8)
WORDS = st.text("aAbB zZ09_-+.,:'\"\\ \t\n\r\v\f\x1d", max_size=12)
UNICODE = st.text(STRANGE + "aAbB \n", max_size=8)
ANY = st.text(max_size=6)
TEXT = st.one_of(FEW, FEW, WORDS, WORDS, UNICODE, ANY)
SHORT = st.one_of(
    st.text("ab", max_size=2), st.sampled_from([" ", ",", "\n", "", "aA"]), st.text(STRANGE, max_size=2)
)
WRONG = st.sampled_from(
    [
        None,
        1,
        -1,
        1.5,
        True,
        b"a",
        bytearray(b"a"),
        [],
        ["a"],
        ("a", "b"),
        {"a": 1},
        Position(),
        Text("a"),
        Text(""),
    ]
)
SUB = st.one_of(SHORT, SHORT, SHORT, TEXT, WRONG)
NUMBER = st.one_of(
    st.integers(-9, 14),
    st.integers(-9, 14),
    st.sampled_from(
        [2**31, -(2**31) - 1, 2**63 - 1, 2**63, -(2**63) - 1, True, False, None, 1.5, "1", Position()]
    ),
)
WIDTH = st.one_of(  # nothing that would take gigabytes
    st.integers(-9, 14),
    st.integers(-9, 14),
    st.sampled_from([-(2**31) - 1, 2**62, 2**63, -(2**63) - 1, True, None, 1.5, "1", Position()]),
)
BOUND = st.one_of(st.none(), st.integers(-9, 14), st.integers(-9, 14), NUMBER)
STEP = st.one_of(st.none(), st.integers(-3, 3), st.sampled_from([10**30, -(10**30), True, 0.5, Position()]))
SUBS = st.one_of(SUB, SUB, st.lists(st.one_of(SHORT, SHORT, SUB), max_size=3).map(tuple))
FILL = st.one_of(st.sampled_from(["*", "0", "é", "🙂"]), SUB)
VALUE = st.one_of(
    TEXT,
    st.integers(-1000, 1000),
    st.integers(),
    st.sampled_from(
        [10**400, -(10**700), 1.5, -0.0, None, True, [1, "a"], (1,), {"a": 1}, Shown(), Text("t"), b"x"]
    ),
)
SPEC = st.one_of(
    st.just(""),
    st.builds(
        "{}{}{}{}{}".format,
        st.sampled_from(["", "", "<", ">", "^", "=", "*<", "0>", "é^", "<=", "x="]),
        st.sampled_from(["", "", "", "+", "-", " ", "#"]),
        st.sampled_from(["", "", "0", "00"]),
        st.sampled_from(["", "1", "5", "12", "٣", "9999999999999999999999"]),
        st.sampled_from(["", "", "d", "s", "x", ",", ".2f", "q", ".1"]),
    ),
    st.text("<>^=0123ds*", max_size=5),
)
FIELD = st.builds(
    lambda name, conversion, spec: "{" + name + conversion + (":" + spec if spec is not None else "") + "}",
    st.sampled_from(["", "", "", "", "0", "1", "2", "00", "a", "b", "٠", "0.real", "0[0]", "12345678901"]),
    st.sampled_from(["", "", "", "", "!r", "!s", "!a", "!", "!x", "!rr"]),
    st.one_of(st.none(), st.none(), SPEC),
)
FORMAT = st.lists(
    st.one_of(
        FIELD, FIELD, FIELD, st.sampled_from(["{{", "}}", "x", " é", "{", "}", "{0:{1}q}", "[", ":", "!"])
    ),
    max_size=5,
).map("".join)
PERCENT = st.lists(
    st.one_of(
        st.sampled_from(
            ["%s", "%d", "%r", "%%", "%i", "%5d", "%-5d|", "%05d", "%-05d|", "%3s|", "%-3s|", "%03s"]
        ),
        st.sampled_from(
            ["x", "é", "%.2f", "%x", "%c", "%+d", "%5.1f", "%", "%(a)s", "%*q", "%q", "%a", "%ld", "%.s"]
        ),
        st.text("%-0 #+.123sdrifxca", max_size=5).map("%".__add__),
    ),
    max_size=4,
).map("".join)
TABLE = st.dictionaries(
    st.one_of(
        st.sampled_from("abAB zß").map(ord),
        st.sampled_from("abAB zß").map(ord),
        st.sampled_from([-1, "a", 1.0]),
    ),
    st.one_of(
        SHORT,
        st.none(),
        st.integers(0, 200),
        st.sampled_from([-1, 0x110000, 0x10FFFF, 1.5, True, Text("q"), []]),
    ),
    max_size=5,
)
KEY = st.one_of(st.sampled_from([*string.ascii_letters, "ß"]), st.integers(-3, 99), SUB)
KEYED = st.dictionaries(
    KEY.filter(lambda key: not isinstance(key, list | dict | bytearray)), VALUE, max_size=4
)
ITEMS = st.one_of(
    st.lists(TEXT, max_size=4),
    st.lists(st.one_of(SHORT, SHORT, SHORT, WRONG), max_size=4),
    st.lists(TEXT, max_size=4).map(tuple),
    st.dictionaries(TEXT, st.none(), max_size=3),
    TEXT,
    WRONG,
    st.sampled_from([range(3), {"one"}, frozenset({"q"}), Text("ab"), map]),
)
ENCODING = st.sampled_from(
    ["utf-8", "utf8", "ascii", "UTF-8", "latin-1", "utf-16", "", "no-such", None, 1, Text("ascii")]
)
ERRORS = st.sampled_from(["strict", "strict", "ignore", "replace", "no-such", None, "a\0", Text("strict")])


def some(*strategies: Any, least: int = 0) -> Any:
    """The receiver and at least so many of the arguments, from the left."""
    counts = st.integers(least, len(strategies))
    return counts.flatmap(lambda count: st.tuples(TEXT, *strategies[:count]))


ALONE = st.tuples(TEXT)
SEARCH = some(SUB, BOUND, BOUND, least=1)
SPLIT = some(st.one_of(st.none(), SUB), NUMBER)
STRIP = some(st.one_of(st.none(), SUB))
PAD = some(WIDTH, FILL, least=1)
ONE_TEXT = some(SUB, least=1)

ARGUMENTS: dict[str, Any] = {
    **dict.fromkeys(["capitalize", "casefold", "lower", "swapcase", "title", "upper", "repr"], ALONE),
    **dict.fromkeys(["isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier"], ALONE),
    **dict.fromkeys(["islower", "isnumeric", "isprintable", "isspace", "istitle", "isupper"], ALONE),
    **dict.fromkeys(["count", "find", "index", "rfind", "rindex"], SEARCH),
    **dict.fromkeys(["startswith", "endswith"], some(SUBS, BOUND, BOUND, least=1)),
    **dict.fromkeys(["split", "rsplit"], SPLIT),
    **dict.fromkeys(["strip", "lstrip", "rstrip"], STRIP),
    **dict.fromkeys(["center", "ljust", "rjust"], PAD),
    **dict.fromkeys(["partition", "rpartition", "removeprefix", "removesuffix", "contains", "add"], ONE_TEXT),
    **dict.fromkeys(["eq", "lt"], st.one_of(ONE_TEXT, some(TEXT, least=1), TEXT.map(lambda one: (one, one)))),
    "zfill": some(WIDTH, least=1),
    "expandtabs": st.one_of(some(WIDTH), st.tuples(st.text("a\t\n\r", max_size=9), WIDTH)),
    "replace": some(SUB, SUB, NUMBER, least=2),
    "splitlines": st.one_of(some(st.one_of(st.booleans(), NUMBER)), st.tuples(st.text("a\r\n\x1e\x85"))),
    "join": some(ITEMS, least=1),
    "encode": some(ENCODING, ERRORS),
    "translate": st.one_of(some(TABLE, least=1), some(WRONG, least=1)),
    "maketrans": st.one_of(
        st.tuples(KEYED), st.tuples(WRONG), st.tuples(FEW, FEW), st.tuples(SUB, SUB, SUB),
        st.tuples(FEW, FEW, TEXT),
        st.permutations("abß").flatmap(lambda x: st.tuples(st.just("".join(x)), st.just("xyz"), TEXT)),
        st.tuples(FEW, FEW, TEXT, TEXT),
    ),
    "format": st.tuples(FORMAT, st.lists(VALUE, max_size=4)).map(lambda pair: (pair[0], *pair[1])),
    "format_map": st.tuples(FORMAT, st.one_of(st.dictionaries(st.sampled_from("abc"), VALUE), WRONG)),
    "mod": st.tuples(PERCENT, st.one_of(VALUE, st.lists(VALUE, max_size=3).map(tuple))),
    "mul": some(WIDTH, least=1),
    "slice": st.tuples(TEXT, BOUND, BOUND, STEP),
}  # fmt: skip
"""What each function is asked, by its name without `str_`."""

OPERATORS: dict[str, Callable[..., Any]] = {
    "contains": operator.contains,
    "add": operator.add,
    "eq": operator.eq,
    "lt": operator.lt,
    "mul": operator.mul,
    "mod": operator.mod,
    "repr": repr,
    "slice": lambda text, start, stop, step: text[start:stop:step],
}
"""What is no method of `str`."""
