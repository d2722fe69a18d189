"""The functions of the families: each stays in its type and its bounds, and does something of its own."""

import ast
import builtins
import copy
import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldline.bench.families import FAMILIES, function, functions, random_input
from worldline.errors import UserError

MOST_ITEMS = 200
MOST_DIGITS = 12
NAMED = [(family, name) for family in FAMILIES for name in functions(family)]
TYPES = {"strings": str, "integers": int, "lists": list, "dicts": dict, "tuples": tuple}

PRINTABLE = "".join(chr(code) for code in range(32, 127))
NAMES = string.ascii_letters + string.digits + "_-"
NUMBERS = st.integers(1 - 10**MOST_DIGITS, 10**MOST_DIGITS - 1) | st.integers(-60, 120)
LISTS = st.lists(NUMBERS, max_size=MOST_ITEMS) | st.lists(st.integers(0, 9), max_size=MOST_ITEMS)
VALUES = {
    "strings": st.text(PRINTABLE, max_size=MOST_ITEMS) | st.text("aab 1E", max_size=MOST_ITEMS),
    "integers": NUMBERS | st.sampled_from([0, 10**MOST_DIGITS - 1, 1 - 10**MOST_DIGITS]),
    "lists": LISTS,
    "dicts": st.dictionaries(st.text(NAMES, max_size=20), NUMBERS, max_size=MOST_ITEMS),
    "tuples": LISTS.map(tuple),
}


def numbers_in(value):
    """Every number that a value holds."""
    if isinstance(value, str):
        return []
    return [value] if isinstance(value, int) else list(value.values() if isinstance(value, dict) else value)


def digits_of(value):
    return max((len(str(abs(number))) for number in numbers_in(value)), default=0)


def length_of(value):
    return 0 if isinstance(value, int) else len(value)


def key_length_of(value):
    return max(map(len, value), default=0) if isinstance(value, dict) else 0


def is_of(family, value):
    """Whether a value is exactly of the family's type, and its parts are."""
    if type(value) is not TYPES[family]:
        return False
    keys = value if isinstance(value, dict) else ()
    return all(type(number) is int for number in numbers_in(value)) and all(type(key) is str for key in keys)


def inputs(family, count, seed=0):
    dice = random.Random(seed)
    return [ast.literal_eval(random_input(family, dice)) for _ in range(count)]


def agreed(family, name, values):
    """The results as text: the order of a dict counts."""
    return [repr(function(family, name)(value)) for value in values]


def hold_to_bounds(family, name, value):
    """From 40 items and 6 digits, five calls within these bounds lead to at most 112 items and 12 digits."""
    kept = copy.deepcopy(value)
    result = function(family, name)(value)
    assert is_of(family, result)
    assert repr(value) == repr(kept), "it changes its argument"
    assert length_of(result) <= max(length_of(value) + 8, 80)
    assert digits_of(result) <= max(digits_of(value) + 1, 8)
    assert key_length_of(result) <= max(key_length_of(value) + 4, 16)
    if family == "strings":
        assert set(result) <= set(PRINTABLE)


@pytest.mark.parametrize(("family", "name"), NAMED)
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_function_stays_in_its_family_and_hardly_grows(family, name, data):
    hold_to_bounds(family, name, data.draw(VALUES[family]))


@pytest.mark.parametrize("family", ["strings", "dicts"])
@settings(max_examples=60, deadline=None)
@given(st.text(max_size=MOST_ITEMS))
def test_no_text_of_any_alphabet_makes_a_function_raise(family, text):
    value = text if family == "strings" else {text: 1, text[:3]: 2, text[::-1]: -7}
    for name in functions(family):
        assert is_of(family, function(family, name)(value))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("size", [30, 50, 80, 120, MOST_ITEMS])
def test_what_is_long_hardly_grows_either(family, size):
    dice = random.Random(size)
    numbers = [dice.randrange(10**MOST_DIGITS) for _ in range(size)]
    value = {
        "strings": "".join(dice.choices(PRINTABLE, k=size)),
        "integers": numbers[0],
        "lists": numbers,
        "dicts": {"".join(dice.choices(NAMES, k=9)): number for number in numbers},
        "tuples": tuple(numbers),
    }[family]
    for name in functions(family):
        hold_to_bounds(family, name, value)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_empty_or_full_is_taken_too(family):
    full = list(range(MOST_ITEMS))
    edges = {
        "strings": ["", " ", "a" * MOST_ITEMS, " " * MOST_ITEMS, "9" * MOST_ITEMS],
        "integers": [0, 1, -1, 10**MOST_DIGITS - 1, 1 - 10**MOST_DIGITS],
        "lists": [[], [0], full, full[::-1], [0] * MOST_ITEMS],
        "dicts": [{}, {"": 0}, {str(item): item for item in full}, {"k" * item: -item for item in full}],
        "tuples": [(), (0,), tuple(full), tuple(full[::-1]), (0,) * MOST_ITEMS],
    }[family]
    for name in functions(family):
        for value in edges:
            hold_to_bounds(family, name, value)


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=300, deadline=None)
@given(st.data())
def test_nothing_explodes_over_five_nestings(family, data):
    value = ast.literal_eval(random_input(family, random.Random(data.draw(st.integers(0, 2**32)))))
    for name in data.draw(st.lists(st.sampled_from(list(functions(family))), min_size=5, max_size=5)):
        value = function(family, name)(value)
        assert is_of(family, value)
        assert length_of(value) <= MOST_ITEMS
        assert digits_of(value) <= MOST_DIGITS


@pytest.mark.parametrize("family", FAMILIES)
def test_an_input_is_small_and_of_its_family(family):
    values = inputs(family, 2000)
    assert all(is_of(family, value) for value in values)
    assert all(length_of(value) <= 40 and digits_of(value) <= 6 for value in values)
    assert len({length_of(value) or digits_of(value) for value in values}) > 5
    assert len({repr(value) for value in values}) > 1000
    assert 0 < sum(1 for value in values if not value) < 300


def test_texts_have_letters_digits_spaces_and_punctuation():
    values = inputs("strings", 200)
    for kind in (string.ascii_lowercase, string.ascii_uppercase, string.digits, " ", string.punctuation):
        assert sum(1 for value in values if set(value) & set(kind)) > 40


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_dice_give_the_same_input(family):
    assert random_input(family, random.Random(5)) == random_input(family, random.Random(5))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_large_and_no_two_functions_agree(family):
    values = inputs(family, 200)
    told = {}
    for name in functions(family):
        told.setdefault(tuple(agreed(family, name, values)), []).append(name)
    assert [names for names in told.values() if len(names) > 1] == []
    assert len(told) >= 25


@pytest.mark.parametrize(("family", "name"), NAMED)
def test_a_function_changes_most_inputs_and_does_not_forget_them(family, name):
    values = inputs(family, 200)
    results = agreed(family, name, values)
    assert sum(result != repr(value) for result, value in zip(results, values, strict=True)) > 100
    assert len(set(results)) >= 5


@pytest.mark.parametrize(("family", "name"), NAMED)
def test_the_text_of_a_function_is_short_and_needs_nothing(family, name):
    text = functions(family)[name]
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.FunctionDef)
    assert [argument.arg for argument in node.args.args] == ["value"]
    assert node.name == name
    assert not hasattr(builtins, name)
    assert 2 <= len(text.splitlines()) <= 8
    assert ast.get_docstring(node) is None
    assert "#" not in text
    assert node.returns is None
    assert node.args.args[0].annotation is None
    parts = list(ast.walk(node))
    assert not any(isinstance(part, ast.Import | ast.ImportFrom | ast.Global) for part in parts)
    loaded = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    bound = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    bound |= {part.arg for part in parts if isinstance(part, ast.arg)}
    assert all(hasattr(builtins, each) for each in loaded - bound - {name})


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_has_a_wide_mix(family):
    texts = functions(family)
    nodes = {name: list(ast.walk(ast.parse(text))) for name, text in texts.items()}
    kinds = (ast.For, ast.If, ast.GeneratorExp | ast.ListComp | ast.DictComp)
    for kind in kinds:
        assert sum(any(isinstance(part, kind) for part in parts) for parts in nodes.values()) >= 3
    recursive = [name for name, text in texts.items() if text.count(f"{name}(") > 1]
    assert 2 <= len(recursive) <= 6
    assert any(isinstance(part, ast.While) for parts in nodes.values() for part in parts)


def test_the_text_is_what_runs():
    for family, name in NAMED:
        space = {}
        exec(functions(family)[name], space)
        values = inputs(family, 30, seed=3)
        assert [repr(space[name](value)) for value in values] == agreed(family, name, values)


@pytest.mark.parametrize("ask", [functions, lambda family: random_input(family, random.Random(0))])
def test_an_unknown_family_is_told(ask):
    with pytest.raises(UserError, match="sets") as told:
        ask("sets")
    assert "dicts" in told.value.hint
