"""This file is the law that no code of a value's class is run to show it, and what `--user-repr` guards."""

import collections
import functools
import signal
import threading

import pytest

from laws import hostile
from worldline.record import user_repr
from worldline.record.values import exception_text, is_immutable, text
from worldline.trace.value import type_of

WRAPPERS = {
    "itself": lambda it: it,
    "list": lambda it: [it],
    "tuple": lambda it: (1, it),
    "value": lambda it: {"k": it},
    "key": lambda it: {it: 1},
    "two keys of one hash": lambda it: {it: 1, hostile.make("object"): 2},
    "element": lambda it: {it, hostile.make("object")},
    "frozen element": lambda it: frozenset({it, 1}),
    "deque": lambda it: collections.deque([it]),
    "ordered key": lambda it: collections.OrderedDict({it: 1, hostile.make("object"): 2}),
    "ordered items": lambda it: collections.OrderedDict({it: it}).items(),
    "keys": lambda it: {it: 1}.keys(),
    "counted": lambda it: collections.Counter({it: 1}),
    "count": lambda it: collections.Counter({"a": it, "b": it}),
    "default": lambda it: collections.defaultdict(lambda: 1, {it: it}),
    "slice": lambda it: slice(it, it),
    "exception": lambda it: ValueError(it),
    "attribute": lambda it: _with_attribute(it),
    "partial": lambda it: functools.partial(print, it),
    "in a hostile dict": lambda it: hostile.spied(dict)({"k": it}),
    "key of a hostile dict": lambda it: hostile.spied(dict)({it: it, hostile.make("object"): 1}),
    "in a hostile set": lambda it: hostile.spied(set)({it, hostile.make("object")}),
}


def _with_attribute(it):
    made = hostile.make("object")
    made.attribute = it
    return made


@pytest.mark.parametrize("wrap", WRAPPERS)
@pytest.mark.parametrize("is_asked", [False, True], ids=["plain metaclass", "hostile metaclass"])
def test_no_code_of_a_class_is_run(is_asked, wrap):
    for name in hostile.MAKERS:
        value = WRAPPERS[wrap](hostile.make(name, is_asked))
        with hostile.watched() as ran:
            shown = text(value)
            text(value, 3)
            is_immutable(type(value))
        assert (name, ran) == (name, [])
        assert "Hostile" in shown or wrap == "partial"


@pytest.mark.parametrize("name", hostile.ODD)
@pytest.mark.parametrize("wrap", ["itself", "list", "value"])
def test_no_code_is_run_in_odd_places_either(name, wrap):
    value = WRAPPERS[wrap](hostile.ODD[name]())
    with hostile.watched() as ran:
        shown = text(value)
    assert ran == []
    assert "0x" not in shown


def test_no_code_is_run_to_show_what_was_raised():
    error = hostile.make("Exception")
    with hostile.watched() as ran:
        shown = exception_text((type(error), error, None))
    assert ran == []
    assert shown.endswith("Hostile'>, Hostile('message', 1), <traceback object>)")


ACTS = (
    repr,
    str,
    len,
    hash,
    list,
    bool,
    lambda it: it == 1,
    lambda it: it.a,
    lambda it: f"{it}",
    lambda it: it[0],
)
CLASS_ACTS = (repr, hash, str, lambda it: it.__flags__, lambda it: it == 1, lambda it: it in (int, str))


@pytest.mark.parametrize(
    ("act", "value"),
    [(act, hostile.make("list")) for act in ACTS] + [(act, hostile.spied(object)) for act in CLASS_ACTS],
    ids=lambda it: "",
)
def test_the_spies_do_notice(act, value):
    with hostile.watched() as ran, pytest.raises(RuntimeError):
        act(value)
    assert ran


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("object", "<Hostile held=[1]>"),
        ("int", "<Hostile 7, held=[1]>"),
        ("str", "<Hostile 'text', held=[1]>"),
        ("list", "<Hostile [1, 2], held=[1]>"),
        ("tuple", "<Hostile (1, 2), held=[1]>"),
        ("dict", "<Hostile {'a': 1}, held=[1]>"),
        ("set", "<Hostile {1, 2}, held=[1]>"),
        ("frozenset", "<Hostile frozenset({1, 2}), held=[1]>"),
        ("bytearray", "<Hostile bytearray(b'bytes'), held=[1]>"),
        ("complex", "<Hostile 1j, held=[1]>"),
        ("deque", "<Hostile deque([1, 2], maxlen=5), held=[1]>"),
        ("namedtuple", "Hostile(x=1, y=2)"),
        ("Exception", "Hostile('message', 1)"),
        ("UserDict", "<Hostile data={'a': 1}, held=[1]>"),
    ],
)
def test_what_they_hold_is_shown_all_the_same(name, shown):
    value = hostile.make(name)
    with hostile.watched():
        assert text(value) == shown
    assert type_of(shown) == "Hostile"


def asked(repr_of, **members):
    """The text of an object, asked for its own repr."""
    kind = type("Asked", (), {"__repr__": repr_of} | members)
    return text(kind(), 200, user_repr=True)


def test_user_repr_asks_the_class():
    assert asked(lambda self: "mine") == "mine"
    assert text([type("Sub", (list,), {"__repr__": lambda self: "sub"})([1])], user_repr=True) == "[sub]"


def test_user_repr_shows_by_attributes_what_has_no_repr_of_its_own():
    value = type("Plain", (), {})()
    value.a = 1
    assert text(value, user_repr=True) == "<Plain a=1>"
    assert text(type("Sub", (dict,), {})(a=1), user_repr=True) == "<Sub {'a': 1}>"


def test_user_repr_has_no_addresses():
    assert asked(lambda self: f"one at 0x{id(self):x}, {len} and all") == f"one, {len} and all"
    assert "0x" not in asked(object.__repr__)


@pytest.mark.parametrize(
    "error",
    [ValueError, SystemExit, KeyboardInterrupt, GeneratorExit, RecursionError, hostile.spied(Exception)],
)
def test_a_raising_repr_stays_out_of_the_program(error):
    def raising(self):
        raise error

    assert asked(raising) == f"<Asked repr failed: {error.__name__}>"


def test_a_repr_that_gives_no_text():
    assert asked(lambda self: 7) == "<Asked repr failed: TypeError>"


def test_a_repr_that_gives_a_text_of_a_hostile_class():
    shown = hostile.Text("mine")
    with hostile.watched():
        assert asked(lambda self: shown) == "mine"


def test_a_repr_without_end_in_itself():
    assert asked(lambda self: repr(self)) == "<Asked repr failed: RecursionError>"


def test_a_huge_repr_is_cut():
    assert asked(lambda self: "x" * 10**7) == "x" * 200 + "…<Asked of 0>"


def endless(self):
    while True:
        pass


def test_an_endless_repr_is_ended_and_its_class_not_asked_again(monkeypatch):
    monkeypatch.setattr(user_repr, "SECONDS", 0.05)
    handler = signal.getsignal(signal.SIGVTALRM)
    calls = []
    kind = type("Asked", (), {"__repr__": lambda self: calls.append(1) or endless(self)})
    assert text([kind(), kind()], user_repr=True) == "[<Asked repr endless>, <Asked repr endless>]"
    assert len(calls) == 1
    assert signal.getsignal(signal.SIGVTALRM) is handler
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_the_program_keeps_its_own_timer():
    signal.setitimer(signal.ITIMER_VIRTUAL, 500.0)
    try:
        assert asked(lambda self: "mine") == "mine"
        assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] > 400.0
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def test_user_repr_in_a_thread():
    found = []
    thread = threading.Thread(target=lambda: found.append(asked(lambda self: "mine")))
    thread.start()
    thread.join()
    assert found == ["mine"]
