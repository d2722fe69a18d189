"""This file is objects that write down everything done to them, and a way to run programs on them."""

import functools
import re
from dataclasses import dataclass

ADDRESS = re.compile(
    r"<(function|\w+ object)\b[^@]*? at 0x[0-9a-f]+>"
)  # with an address, the name is no matter
LIMIT = 150  # events, then a program is stopped: it may loop for ever

LOGGED = """
class Boom(Exception):
    pass

class Thing:
    def __init__(self):
        WORLD.things += 1
        self.number = WORLD.things
    def __repr__(self):
        return f"<{self.number}>"
    def __hash__(self):
        WORLD.event("hash", self)
        return self.number
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        WORLD.event("get", self, name)
        return Thing()
    def __setattr__(self, name, value):
        if name != "number":
            WORLD.event("set", self, name, value)
        object.__setattr__(self, name, value)
    def __delattr__(self, name):
        WORLD.event("del", self, name)
    def __call__(self, *args, **words):
        WORLD.event("call", self, args, words)
        return args[0] if args and self.number % 2 else Thing()
    def __getitem__(self, key):
        WORLD.event("getitem", self, key)
        return Thing()
    def __setitem__(self, key, value):
        WORLD.event("setitem", self, key, value)
    def __delitem__(self, key):
        WORLD.event("delitem", self, key)
    def keys(self):
        WORLD.event("keys", self)
        return [f"key{self.number}"]
    def __enter__(self):
        WORLD.event("enter", self)
        return (Thing(), Thing())
    def __exit__(self, kind, value, trace):
        WORLD.event("exit", self, kind)
        return self.number % 3 == 0
    def __format__(self, spec):
        WORLD.event("format", self, spec)
        return f"[{self.number}:{spec}]"
    def __str__(self):
        WORLD.event("str", self)
        return f"s{self.number}"
    def __await__(self):
        WORLD.event("await", self)
        return (yield self)
    async def __aenter__(self):
        WORLD.event("aenter", self)
        return (Thing(), Thing())
    async def __aexit__(self, kind, value, trace):
        WORLD.event("aexit", self, kind)
        return self.number % 3 == 0
    async def __aiter__(self):
        WORLD.event("aiter", self)
        for _ in range(2):
            yield (Thing(), Thing())

def make(name, result=None):
    def method(self, *others):
        WORLD.event(name, self, *others)
        return Thing()
    return method

for name in "add radd iadd sub rsub mul mod neg invert lt le gt ge eq ne or and matmul isub".split():
    setattr(Thing, f"__{name}__", make(name))
"""

TRUTH = """
class Items:
    def __init__(self, owner):
        self.owner = owner
        self.count = 0
    def __iter__(self):
        WORLD.event("iter again", self.owner)
        return self
    def __next__(self):
        WORLD.event("next", self.owner)
        self.count += 1
        if self.count > 2:
            raise StopIteration
        return (Thing(), Thing())

def truth(self):
    WORLD.event("bool", self)
    return self.number % 3 != 0

def items(self):
    WORLD.event("iter", self)
    return Items(self)

def contains(self, other):
    WORLD.event("contains", self, other)
    return self.number % 2 == 0

setattr(Thing, "__bool__", truth)
setattr(Thing, "__iter__", items)
setattr(Thing, "__contains__", contains)
"""

QUIET_TRUTH = """
def items(self):
    WORLD.event("iter", self)
    return iter([(Thing(), Thing()), (Thing(), Thing())])

setattr(Thing, "__bool__", lambda self: self.number % 3 != 0)
setattr(Thing, "__iter__", items)
setattr(Thing, "__contains__", lambda self, other: self.number % 2 == 0)
"""


class World:
    """What happened so far; raises at one event if it is told to."""

    def __init__(self, fail_at):
        self.log = []
        self.things = 0
        self.fail_at = fail_at
        self.boom = None

    def event(self, *parts):
        self.log.append(shown(parts))
        if len(self.log) == self.fail_at or len(self.log) > LIMIT:
            raise self.boom(f"at {len(self.log)}")


def shown(value):
    """A text for a value without the addresses of objects."""
    if isinstance(value, set):  # functions in it are ordered by their addresses
        return f"set({', '.join(sorted(shown(item) for item in value))})"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}({', '.join(shown(item) for item in value)})"
    if isinstance(value, dict):
        return f"dict({', '.join(f'{shown(key)}: {shown(item)}' for key, item in value.items())})"
    if type(value).__name__ == "Thing":
        return repr(value)
    if type(value).__name__ in ("function", "generator", "coroutine", "async_generator", "Items", "type"):
        return type(value).__name__
    return ADDRESS.sub(r"<\1>", repr(value))


@dataclass(frozen=True)
class Outcome:
    """Everything that can be seen of a run."""

    log: tuple[str, ...]
    end: str


@functools.cache
def _compiled(support):
    return compile(support, "support", "exec")


def run(code, support, fail_at, kind="plain"):
    """Run `f(x, y)` of a program."""
    world = World(fail_at)
    space = {"WORLD": world, "__name__": "program"}
    exec(_compiled(support), space)
    world.boom = space["Boom"]
    try:
        exec(code, space)
        result = space["f"](space["Thing"](), space["Thing"]())
        if kind != "plain":
            result = drive(result, space["Thing"])
        end = f"returned {shown(result)}"
    except Exception as error:  # noqa: BLE001 - whatever the program raises
        end = f"{type(error).__name__}{shown(error.args)} from {shown(error.__cause__)}"
    return Outcome(tuple(world.log), end)


def drive(work, thing):
    """Send things to a generator or a coroutine, and list what it gives."""
    given = []
    value = None
    for _ in range(30):
        try:
            given.append(shown(work.send(value)))
        except StopIteration as stop:
            return given, shown(stop.value)
        value = thing()
    work.close()
    return given, "stopped"
