"""Values of every kind: numbers of any size, text of any kind, containers of containers."""

import array
import collections
import datetime
import decimal
import fractions
import functools
import re
import types


def numbers():
    small = -5
    digit = 2**30 - 1
    two = 2**30
    word = 2**62
    most = 2**63 - 1
    more = 2**63
    least = -(2**63)
    less = least - 1
    big = 10**30
    huge = 10**600
    enormous = 2**14000
    beyond = 2**14001 + 1
    beyond += 1
    inside = [huge, -enormous, {beyond: 1}]
    ratio = 1 / 3
    tiny = 5e-324
    large = 1e308 * 10
    whole = 1e16
    weird = complex(-0.0, float("nan"))
    span = range(0, 10**20, 3)
    return small, digit, two, word, most, more, least, less, big, ratio, tiny, large, whole, weird, span, inside[:1]


def texts():
    plain = "plain"
    single = "it's"
    double = 'say "hi"'
    both = "it's \"both\""
    slash = "a\\b"
    control = "\0\x01\t\r\n\x0b\x0c\x08\x1f\x7f"
    latin = "ÿé\xa0\xad"
    wide = "√日本"
    astral = "😀𝒳"
    lone = "\ud800x\udfff"
    pair = "\ud83d\ude00"
    invisible = "\u200b\u2028\ufeff\U000e0001"
    raw = b"\0\xff'\"\\\n"
    mixed = ["'", '"', "'\"", "\\", "\n", "é", "\ud800", b"'", b'"', b"\\"]
    table = {"\"": "'", "\n": b"\n"}
    empty = ""
    long = "ab" * 40
    cut = "x" * 18 + "'\"" + "y" * 30
    return plain, single, double, both, slash, control, latin, wide, astral, raw, mixed, table, empty, long, cut


def containers():
    single = (1,)
    nested = [(), [], {}, set(), frozenset(), ((),), [[]], {(): []}]
    frozen = frozenset({1, 2}), {frozenset({(1, "x")})}
    words = {"b", "a", "c"}
    odd = {None, 1, "x", 2.5, (1, 2), b"z", True}
    nans = {float("nan")}
    specials = [..., NotImplemented, None, True, False]
    deep = []
    for _ in range(30):
        deep = [deep]
    tuples = {(1, (2, 3)): [1]}
    views = {1: 2}.keys(), {1: 2}.values(), {1: 2}.items()
    long = list(range(30))
    wide = {number: str(number) for number in range(12)}
    many = set(range(25))
    pairs = {(number, str(number)) for number in range(9)}
    long.append([1, 2])
    wide[3] = long
    many.add(100)
    pairs.add((1, 2))
    return single, nested, frozen, words, odd, nans, specials, tuples, views, deep


def cycles():
    itself = [1]
    itself.append(itself)
    itself.append(2)
    table = {"self": None}
    table["self"] = table
    one, two = [1], [2]
    one.append(two)
    two.append(one)
    branching = []
    for _ in range(3):
        branching.append(branching)
    tied = ([],)
    tied[0].append(tied)
    return len(itself), len(table), len(one), len(branching), len(tied)


def library():
    queue = collections.deque([1, 2], maxlen=2)
    queue.append(3)
    queue.rotate(1)
    counts = collections.Counter("hello")
    ordered = collections.OrderedDict(b=1, a=2)
    ordered.move_to_end("b")
    default = collections.defaultdict(list)
    default["x"].append(1)
    named = collections.namedtuple("Pair", "left right")(1, [2])
    day = datetime.date(2020, 2, 29)
    price = decimal.Decimal("1.10")
    half = fractions.Fraction(1, 2)
    numbers = array.array("i", [1, 2])
    numbers.append(3)
    pattern = re.compile(r"\d+")
    match = pattern.search("a12")
    space = types.SimpleNamespace(x=1)
    space.x = [space.x]
    proxy = types.MappingProxyType({"a": 1})
    part = slice(1, None, [2])
    view = memoryview(b"ab")
    later = functools.partial(int, base=2)
    method = [].append
    bound = space.__eq__
    kind, call, built = int, texts, len
    generator = (n for n in [1])
    iterators = [iter([1]), iter("a"), iter({}), iter(range(3)), enumerate([]), zip(), map(int, []), reversed([1])]
    item = iter({1})
    item = enumerate([1])
    item = object()
    return queue, counts, default, named, day, price, half, numbers, space.x


def main():
    return numbers(), texts(), containers(), cycles(), library()
