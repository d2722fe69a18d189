"""This file is objects that notice whatever is done to them: by each method of class and metaclass."""

import collections
import contextlib
import datetime
import decimal
import enum
import fractions
import functools
import re
import types
import uuid
from collections.abc import Callable, Iterator

_ran: list[str] = []
_armed: list[bool] = []


@contextlib.contextmanager
def watched() -> Iterator[list[str]]:
    """From here on the objects notice; what code of theirs was run is in the list."""
    _ran.clear()
    _armed.append(True)
    try:
        yield _ran
    finally:
        _armed.clear()


def _spy(name: str, calm: Callable[..., object] | None = None) -> Callable[..., object]:
    """A method that behaves as usual, until it is watched: then it tells and fails."""

    def method(*args: object, **named: object) -> object:
        if not _armed and calm is not None:
            return calm(*args, **named)
        _ran.append(name)
        raise RuntimeError(name)

    return method


def _spy_property(name: str, calm: Callable[..., object] | None = None) -> property:
    return property(_spy(name, calm))


EXTRA = """
__getattr__ __repr__ __str__ __format__ __bytes__ __bool__ __len__ __length_hint__ __iter__ __next__
__reversed__ __contains__ __getitem__ __missing__ __index__ __int__ __float__ __complex__ __fspath__
__buffer__ __get__ __call__ __instancecheck__ __subclasscheck__ __sizeof__ __dir__
"""
KEPT = """
__new__ __init__ __class__ __dict__ __doc__ __slots__ __weakref__ __module__ __init_subclass__ __set_name__
__subclasshook__ __class_getitem__ __annotations__ __abstractmethods__ __match_args__ __firstlineno__
__static_attributes__ __orig_bases__ __hash__ __eq__ __getattribute__ _abc_impl
"""


def _members(kind: type) -> dict[str, object]:
    """Every method there is on `kind`, spying; all objects have one hash, so that they must be compared."""
    names = {name for name in dir(kind) if name not in KEPT.split() and callable(getattr(kind, name))}
    members: dict[str, object] = {name: _spy(name, getattr(kind, name)) for name in names}
    members |= {name: _spy(name) for name in EXTRA.split() if name not in members}
    return members | {
        "__hash__": _spy("__hash__", lambda self: 7),
        "__eq__": _spy("__eq__", lambda self, other: self is other),
        "__getattribute__": _spy("__getattribute__", kind.__getattribute__),
        "__class__": _spy_property("__class__", type),
        "surprise": _spy_property("surprise"),
    }


class Asked(type):
    """A metaclass that notices being asked anything."""

    __getattribute__ = _spy("metaclass __getattribute__", type.__getattribute__)
    __repr__ = _spy("metaclass __repr__", type.__repr__)
    __str__ = _spy("metaclass __str__", type.__str__)
    __hash__ = _spy("metaclass __hash__", type.__hash__)
    __eq__ = _spy("metaclass __eq__", type.__eq__)
    __ne__ = _spy("metaclass __ne__", type.__ne__)
    __instancecheck__ = _spy("metaclass __instancecheck__", type.__instancecheck__)
    __subclasscheck__ = _spy("metaclass __subclasscheck__", type.__subclasscheck__)
    __bool__ = _spy("metaclass __bool__", lambda kind: True)
    __iter__ = _spy("metaclass __iter__")
    __dir__ = _spy("metaclass __dir__", type.__dir__)
    __mro__ = _spy_property("metaclass __mro__", type.__dict__["__mro__"].__get__)
    __name__ = _spy_property("metaclass __name__", type.__dict__["__name__"].__get__)
    __flags__ = _spy_property("metaclass __flags__", type.__dict__["__flags__"].__get__)
    __dict__ = _spy_property("metaclass __dict__", type.__dict__["__dict__"].__get__)


def spied(kind: type, is_asked: bool = True, **members: object) -> type:
    """A class derived from `kind` that notices everything but its making."""
    metaclass = type(kind)
    if is_asked:
        metaclass = Asked if metaclass is type else type("Both", (Asked, metaclass), {})
    return metaclass("Hostile", (kind,), _members(kind) | members)


Text = spied(str, is_asked=False)
Pair = collections.namedtuple("Pair", "x y")
MAKERS: dict[str, tuple[type, tuple[object, ...]]] = {
    "object": (object, ()),
    "int": (int, (7,)),
    "float": (float, (1.5,)),
    "complex": (complex, (1j,)),
    "str": (str, ("text",)),
    "bytes": (bytes, (b"bytes",)),
    "bytearray": (bytearray, (b"bytes",)),
    "list": (list, ([1, 2],)),
    "tuple": (tuple, ((1, 2),)),
    "dict": (dict, ({"a": 1},)),
    "set": (set, ({1, 2},)),
    "frozenset": (frozenset, ({1, 2},)),
    "Exception": (Exception, ("message", 1)),
    "KeyError": (KeyError, ("key",)),
    "OSError": (OSError, (2, "no")),
    "deque": (collections.deque, ([1, 2], 5)),
    "OrderedDict": (collections.OrderedDict, ({"a": 1},)),
    "defaultdict": (collections.defaultdict, (list, {"a": 1})),
    "Counter": (collections.Counter, ("aab",)),
    "UserDict": (collections.UserDict, ({"a": 1},)),
    "namedtuple": (Pair, (1, 2)),
    "module": (types.ModuleType, ("name",)),
    "namespace": (types.SimpleNamespace, ()),
    "date": (datetime.date, (2020, 1, 1)),
    "datetime": (datetime.datetime, (2020, 1, 1)),
    "tzinfo": (datetime.tzinfo, ()),
    "Decimal": (decimal.Decimal, ("1.5",)),
    "Fraction": (fractions.Fraction, (1, 2)),
    "UUID": (uuid.UUID, ("0" * 32,)),
    "partial": (functools.partial, (print, 1)),
}


def make(name: str, is_asked: bool = True, **members: object) -> object:
    """A hostile object derived from the type of that name."""
    kind, args = MAKERS[name]
    made = spied(kind, is_asked, **members)(*args)
    with contextlib.suppress(AttributeError):
        object.__setattr__(made, "held", [1])
    return made


def _enum_member() -> object:
    colour = enum.Enum("Hostile", {"RED": 1})
    member = next(iter(colour))
    member._name_, member._value_ = Text("RED"), make("int")
    for name in ("__repr__", "__str__", "__format__", "__hash__", "__eq__", "__getattribute__"):
        type.__setattr__(colour, name, _spy(name, getattr(object, name)))
    return member


def _renamed_class() -> object:
    kind = type("Hostile", (), {})
    kind.__name__ = kind.__qualname__ = Text("Hostile")
    return kind()


def _renamed_function() -> object:
    def function() -> None: ...

    function.__qualname__ = Text("Hostile")
    return function


def _odd_dict() -> object:
    made = spied(object)()
    vars(made).update({Text("name"): 1})
    vars(made)[3] = 4
    return made


def _replaced_dict() -> object:
    made = spied(object)()
    made.__dict__ = spied(dict)({"a": 1})
    return made


def _borrowed_slot() -> object:
    slots = type("Slots", (), {"__slots__": ("a",)})
    return type("Hostile", (), {"a": slots.__dict__["a"], "__dict__": type.__dict__["__dict__"]})()


def _fraction() -> object:
    made = fractions.Fraction(1, 2)
    made._numerator = make("int")
    return made


ODD: dict[str, Callable[[], object]] = {
    "enum": _enum_member,
    "renamed class": _renamed_class,
    "renamed function": _renamed_function,
    "keys in __dict__ that are no names": _odd_dict,
    "a hostile __dict__": _replaced_dict,
    "a slot of another class": _borrowed_slot,
    "args property": lambda: make("Exception", args=_spy_property("args")),
    "__dict__ property": lambda: spied(object, __dict__=_spy_property("__dict__"))(),
    "__slots__": lambda: spied(object, __slots__=("a", "b"))(),
    "__module__ that is no text": lambda: make("object", __module__=make("object")),
    "_fields that are no texts": lambda: make("tuple", _fields=(make("str"), make("object"))),
    "zone": lambda: datetime.datetime(2020, 1, 1, tzinfo=make("tzinfo")),
    "time zone": lambda: datetime.time(1, fold=1, tzinfo=make("tzinfo")),
    "name of a zone": lambda: datetime.timezone(datetime.timedelta(hours=1), make("str", is_asked=False)),
    "pattern": lambda: re.compile(Text("a")),
    "match": lambda: re.match("t", make("str", is_asked=False)),
    "numerator": _fraction,
    "counts": lambda: collections.Counter({"a": make("int"), "b": make("int")}),
    "factory": lambda: collections.defaultdict(make("object")),
    "method": lambda: types.MethodType(make("object"), make("object")),
    "class": lambda: spied(object),
}
