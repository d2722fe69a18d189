"""Work on paper: with right lines, what comes out is Python's; no line is long."""

import ast
import operator
from collections.abc import Callable, Generator, Sequence
from copy import copy
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from worldline.models.embedded.effects import apply
from worldline.models.embedded.outcomes import Answer, Raised, Value, Values
from worldline.models.embedded.paper import MOST, NEAR, SURE, answered
from worldline.models.embedded.prompts import UnclearError
from worldline.models.embedded.questions import Question
from worldline.models.embedded.reading import Cursor

SIGNS = {"*": operator.mul, "//": operator.floordiv, "%": operator.mod}
BITS = {"&": operator.and_, "|": operator.or_, "^": operator.xor}
REPEATED = {"**": operator.pow, "<<": operator.lshift, ">>": operator.rshift}
LONGEST = 10**19
NAMES = "abcdefghijl"


def statement(sign: str) -> ast.stmt:
    return ast.parse(f"x = a {sign} b").body[0]


Lie = Callable[[int], int]


def worked_out(
    sign: str, left: int, right: int, lies: Sequence[int] = (), lie: Lie = lambda told: told + 1
) -> tuple[Answer, list[Question]]:
    """What comes out, and the questions on the way; some of them may be answered wrong."""
    return asked_about(statement(sign), {"a": left, "b": right}, lies, lie)


def asked_about(
    node: ast.stmt, values: dict[str, Any], lies: Sequence[int] = (), lie: Lie = lambda told: told + 1
) -> tuple[Answer, list[Question]]:
    running: Generator[Question, Answer, Answer] = answered(node, values)
    asked: list[Question] = []
    answer: Answer | None = None
    while True:
        try:
            asked.append(running.send(answer))
        except StopIteration as stop:
            return stop.value, asked
        outcome = asked[-1].read(asked[-1].right()[:-1])
        if len(asked) - 1 in lies and isinstance(outcome, Value):
            told = outcome.value
            outcome = Value(not told if isinstance(told, bool) else lie(told))
        answer = Answer(outcome, 0.5)


@pytest.mark.parametrize(
    "form", ["x = xs[i]", "return xs[i]", "xs[i] = 'v'", "del xs[i]", "xs[i]", "x = xs[-9]"]
)
@given(data=st.data())
def test_an_index_from_the_end_finds_what_python_finds(form: str, data: st.DataObject) -> None:
    makers = [list] if form in ("xs[i] = 'v'", "del xs[i]") else [list, tuple, "".join]
    xs = data.draw(st.sampled_from(makers))(data.draw(st.lists(st.sampled_from("abc"), max_size=30)))
    index = data.draw(st.integers(-35, -1))
    node = ast.parse(f"def f():\n    {form}").body[0].body[0]  # type: ignore[attr-defined]
    told: dict[str, Any] = {"xs": copy(xs), "i": index}
    answer, asked = asked_about(node, {"xs": xs, "i": index})
    effect = apply(node, answer.outcome, {"xs": xs, "i": index})
    try:
        exec(form.replace("return", "x ="), {}, told)
    except IndexError:
        assert effect.is_raised
    else:
        assert not effect.is_raised
        assert xs == told["xs"]
        assert {**told, **effect.bound} == told
        if form.startswith("return"):
            assert effect.value == told["x"]
    far = (-9 if "-9" in form else index) < -NEAR
    assert len(asked) in ((2, 3) if far else (1,))
    assert answer.probability == 0.5 ** len(asked)


@given(
    st.integers(1, 11), st.sampled_from([list, tuple, "".join]), st.lists(st.sampled_from("xyz"), max_size=12)
)
@example(7, list, ["x", "y", "z"] * 2 + ["x"])
def test_names_get_items_if_there_are_as_many(count: int, made: Callable[..., Any], xs: list[str]) -> None:
    node = ast.parse(f"{', '.join(NAMES[:count])}, = xs").body[0]
    answer, asked = asked_about(node, {"xs": made(xs)})
    is_fitting = len(xs) == count
    assert answer.outcome == (Values(tuple(xs)) if is_fitting else Raised())
    assert answer.probability == 0.5 ** len(asked)
    assert len(asked) == 2 + is_fitting * (1 if count <= MOST else count)


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=9), st.sampled_from(["xs", "a, b, c, 5"]))
def test_a_target_that_comes_more_than_once_keeps_the_last(targets: list[str], value: str) -> None:
    """And it is asked as if it came once, as in the data."""
    targets = targets if value == "xs" else [*targets, *"abc"][:4]
    values = {"xs": [f"item {at}" for at, _ in enumerate(targets)], "a": 1, "b": 2, "c": 3}
    node = ast.parse(f"{', '.join(targets)}, = {value}").body[0]
    answer, asked = asked_about(node, values)
    told: dict[str, Any] = {}
    exec(ast.unparse(node), dict(values), told)
    assert apply(node, answer.outcome, values).bound == told
    if value == "xs":
        once = ast.parse(f"{', '.join(NAMES[: len(targets)])}, = xs").body[0]
        assert [each.prompt for each in asked] == [each.prompt for each in asked_about(once, values)[1]]


@given(st.integers(2, 11).flatmap(lambda count: st.permutations(NAMES[:count])))
def test_names_get_each_others_values(order: list[str]) -> None:
    node = ast.parse(f"{', '.join(sorted(order))} = {', '.join(order)}").body[0]
    answer, asked = asked_about(node, {name: f"of {name}" for name in order})
    assert answer.outcome == Values(tuple(f"of {name}" for name in order))
    assert len(asked) == (1 if len(order) <= MOST else len(order))


@pytest.mark.parametrize("form", ["x = [{},]", "return ({},)", "x = [{}, 5, 'text']", "x = {{{}, 5, None}}"])
@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=12))
def test_a_display_holds_what_its_names_hold(form: str, names: list[str]) -> None:
    display_is_right(form.format(", ".join(names)), len(names) + form.count(", "))


@given(
    st.lists(
        st.tuples(st.sampled_from([*NAMES, "5", "'text'"]), st.sampled_from(NAMES)), min_size=1, max_size=9
    )
)
def test_a_dict_holds_what_its_names_hold(pairs: list[tuple[str, str]]) -> None:
    written = ", ".join(f"{key}: {value}" for key, value in pairs)
    display_is_right(f"x = {{{written}}}", 2 * len(pairs))


def display_is_right(form: str, parts: int) -> None:
    """It holds what Python puts into it, asked for at once or, if it has many parts, one by one."""
    node = ast.parse(f"def f():\n    {form}").body[0].body[0]  # type: ignore[attr-defined]
    values = {name: f"of {name}" for name in NAMES}
    answer, asked = asked_about(node, values)
    effect = apply(node, answer.outcome, values)
    found = effect.value if form.startswith("return") else effect.bound["x"]
    expected = eval(form.removeprefix("x = ").removeprefix("return "), dict(values))
    assert (type(found), found, list(found)) == (type(expected), expected, list(expected))
    assert len(asked) == (1 if parts <= MOST else parts)


@pytest.mark.parametrize("form", ["x = {}", "return {}", "if {}:\n        pass", "while {}:\n        pass"])
@given(
    st.sampled_from(["a < b", "a <= b", "a > b", "a >= 'm'", "'é' < b"]),
    st.characters(codec="utf-8"),
    st.characters(),
)
def test_characters_are_in_the_order_of_their_numbers(form: str, test: str, a: str, b: str) -> None:
    node = ast.parse(f"def f():\n    {form.format(test)}").body[0].body[0]  # type: ignore[attr-defined]
    answer, asked = asked_about(node, {"a": a, "b": b})
    assert answer == Answer(Value(eval(test, {"a": a, "b": b})), 0.5**3)
    assert [each.kind for each in asked[:2]] == ["ord", "ord"]


def test_an_order_that_the_network_gets_wrong_comes_out_wrong() -> None:
    node = ast.parse("x = a < b").body[0]
    assert asked_about(node, {"a": "c", "b": "d"}, lies=[0])[0].outcome == Value(False)
    assert asked_about(node, {"a": "c", "b": "d"}, lies=[2])[0].outcome == Value(False)


@pytest.mark.parametrize(("index", "length"), [(3, 3), (3, 4), (0, 0), (7, 2)])
def test_an_item_that_is_not_sure_is_not_said_to_be_behind_the_length(index: int, length: int) -> None:
    def said(sure: float) -> Generator[Question, Answer, Answer]:
        running = answered(ast.parse(f"x = xs[{index}]").body[0], {"xs": list("abcd")[:length]})
        next(running)
        running.send(Answer(Value("c"), sure))
        return running

    with pytest.raises(StopIteration) as ended:
        said(SURE)
    assert ended.value.value == Answer(Value("c"), SURE)
    running = said(0.5)
    running.send(Answer(Value(length), 0.5))
    if index >= length:
        with pytest.raises(UnclearError):
            running.send(Answer(Value(True), 0.5))
    else:
        with pytest.raises(StopIteration) as ended:
            running.send(Answer(Value(False), 0.5))
        assert ended.value.value == Answer(Value("c"), 0.125)


@pytest.mark.parametrize(("index", "length"), [(3, 3), (3, 4), (0, 0), (7, 2)])
def test_an_index_is_not_said_to_fail_below_the_length(index: int, length: int) -> None:
    running = answered(ast.parse(f"x = xs[{index}]").body[0], {"xs": list("abcd")[:length]})
    next(running)
    running.send(Answer(Raised(), 0.5))
    running.send(Answer(Value(length), 0.5))
    if index < length:
        with pytest.raises(UnclearError):
            running.send(Answer(Value(False), 0.5))
    else:
        with pytest.raises(StopIteration) as ended:
            running.send(Answer(Value(True), 0.5))
        assert ended.value.value == Answer(Raised(), 0.125)


@pytest.mark.parametrize("targets", ["a, b, c, d, e, f, xs[0]", "a, b, c, d, e, f, *g", "a, xs[0]", "a, *b"])
@pytest.mark.parametrize("value", ["xs", "p, p, p, p, p, p, p", "p, p"])
def test_targets_that_are_no_names_are_refused(targets: str, value: str) -> None:
    with pytest.raises(UnclearError):
        asked_about(ast.parse(f"{targets} = {value}").body[0], {"xs": list("abcdefg"), "p": 1})


@pytest.mark.parametrize("target", ["a, b", "xs[0]"])
def test_loops_over_more_than_a_name_are_refused(target: str) -> None:
    pairs = [("a", 1)]
    with pytest.raises(UnclearError):
        next(answered(ast.parse(f"for {target} in xs: pass").body[0], {"xs": pairs}, Cursor(pairs, 0)))


def test_many_names_whose_item_is_said_to_be_missing_get_nothing() -> None:
    running = answered(ast.parse("a, b, c, d, e, f, g = xs").body[0], {"xs": list("abcdefg")})
    next(running)
    for outcome in (Value(7), Value(True), Value("a")):
        running.send(Answer(outcome, 0.5))
    with pytest.raises(StopIteration) as ended:
        running.send(Answer(Raised(), 0.5))
    assert ended.value.value == Answer(Raised(), 0.5**4)


@pytest.mark.parametrize("form", ["a, b = xs", "a = xs[-5]"])
def test_a_line_that_is_said_to_fail_makes_the_statement_fail(form: str) -> None:
    running = answered(ast.parse(form).body[0], {"xs": list("abcdef")})
    next(running)
    running.send(Answer(Value(6), 0.5))
    with pytest.raises(StopIteration) as ended:
        running.send(Answer(Raised(), 0.5))
    assert ended.value.value == Answer(Raised(), 0.25)


def test_names_that_are_as_many_as_the_items_cannot_fail() -> None:
    running = answered(ast.parse("a, b = xs").body[0], {"xs": ["p", "q"]})
    next(running)
    running.send(Answer(Value(2), 0.5))
    running.send(Answer(Value(True), 0.5))
    with pytest.raises(UnclearError, match="as many names"):
        running.send(Answer(Raised(), 0.5))


def test_an_index_from_the_end_goes_where_the_network_says() -> None:
    node = ast.parse("x = xs[-6]").body[0]
    values = {"xs": list("abcdefghij")}
    assert asked_about(node, values)[0].outcome == Value("e")
    assert asked_about(node, values, lies=[0])[0].outcome == Value("f")
    assert asked_about(node, values, lies=[1], lie=lambda told: told - 2)[0].outcome == Value("c")


@given(st.sampled_from(["//", "%"]), st.integers(-LONGEST, LONGEST), st.integers(-(10**6), 10**6))
def test_a_division_is_what_python_says(sign: str, left: int, right: int) -> None:
    answer, asked = worked_out(sign, left, right)
    assert answer.outcome == (Value(SIGNS[sign](left, right)) if right else Raised())
    assert answer.probability == 0.5 ** len(asked)


@given(st.integers(-(10**10), 10**10), st.integers(-(10**9), 10**9))
def test_a_product_is_what_python_says(left: int, right: int) -> None:
    answer, asked = worked_out("*", left, right)
    assert answer.outcome == Value(left * right)
    assert len(asked) == 2 * len(str(min(abs(left), abs(right)))) - 1


@given(st.sampled_from(list(BITS)), st.integers(0, 10**18), st.integers(0, 10**18))
def test_bits_are_what_python_says(sign: str, left: int, right: int) -> None:
    assert worked_out(sign, left, right)[0].outcome == Value(BITS[sign](left, right))


@given(st.sampled_from(list(REPEATED)), st.integers(-60, 60), st.integers(0, 10))
def test_powers_and_shifts_are_what_python_says(sign: str, left: int, right: int) -> None:
    assert worked_out(sign, left, right)[0].outcome == Value(REPEATED[sign](left, right))


@pytest.mark.parametrize(("sign", "right"), [("**", -1), ("<<", -1), (">>", 65), ("&", -4), ("**", 64)])
def test_what_is_too_long_or_no_whole_number_is_not_clear(sign: str, right: int) -> None:
    with pytest.raises(UnclearError):
        worked_out(sign, 12, right)


@given(st.sampled_from(list(SIGNS)), st.integers(-LONGEST, LONGEST), st.integers(-(10**18), 10**18))
def test_no_line_is_longer_than_what_is_learnt(sign: str, left: int, right: int) -> None:
    """Rows of training data hold 320 tokens."""
    _, asked = worked_out(
        sign, left % 10**9 if sign == "*" else left, right % 10**10 if sign == "*" else right
    )
    assert all(len(each.prompt) + len(each.right()) < 300 for each in asked)


@given(
    st.sampled_from([*SIGNS, *BITS, *REPEATED]),
    st.integers(-(10**6), 10**6),
    st.integers(-(10**4), 10**4),
    st.one_of(st.just(range(1000)), st.integers(0, 100).map(lambda one: [one])),
    st.sampled_from([lambda told: told + 1, lambda told: -told, lambda told: told * 10, lambda told: 0]),
)
def test_wrong_lines_are_no_crash(sign: str, left: int, right: int, lies: Sequence[int], lie: Lie) -> None:
    try:
        answer, _ = worked_out(sign, left, right, lies, lie)
    except UnclearError:
        return
    assert isinstance(answer.outcome, Value | Raised)


@pytest.mark.parametrize(("sign", "left", "right"), [("*", 12, 34), ("//", 1000, 17), ("%", 1000, 17)])
def test_a_wrong_line_is_not_mended(sign: str, left: int, right: int) -> None:
    """The second line is told wrong, and the result with it."""
    answer, _ = worked_out(sign, left, right, [1])
    assert answer.outcome != Value(SIGNS[sign](left, right))
