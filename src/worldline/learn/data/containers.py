"""This file is random statements about one container: several about the same one, as it is shown once."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from worldline.learn.data import draws
from worldline.learn.data.statements import Sample, of_type, retargeted
from worldline.models.embedded.items import FROM_END
from worldline.models.embedded.prompts import in_order
from worldline.models.embedded.reading import Cursor
from worldline.models.embedded.vocabulary import KEYS, MOST

Family = Callable[[Random, Any], Sample]
LONGEST = {"str": MOST - 1, "list": MOST - 1, "tuple": MOST - 1, "dict": KEYS, "set": KEYS}


@dataclass(frozen=True, slots=True)
class Holding:
    """A container, and the statements that can be asked about it in one view."""

    container: Any
    families: tuple[Family, ...]

    def sample(self, dice: Random) -> Sample:
        """One of them."""
        return retargeted(dice, dice.choice(self.families)(dice, self.container))


def holding(dice: Random, difficulty: float) -> Holding:
    """A container and a way to look at it."""
    name = dice.choices(("str", "list", "tuple", "dict", "set"), (3, 3, 1, 3, 2))[0]
    view = dice.choices(("whole", "tail", "head"), (7, 2, 0.6))[0]
    longest = LONGEST[name] if view == "whole" else MOST - 1
    size = draws.size(dice, max(3, round(longest * difficulty)))
    container = _container(dice, name, size)
    return Holding(container, VIEWS[view](name, container))


def _container(dice: Random, name: str, size: int) -> Any:
    if name == "str":
        return draws.text(dice, size)
    if name == "list":
        return draws.elements(dice, size)
    if name == "tuple":
        return tuple(draws.elements(dice, min(size, 5) if dice.random() < 0.6 else size))
    keys: dict[Any, None] = {}
    while len(keys) < size:
        keys[draws.key(dice)] = None
    if name == "set":
        return set(keys)
    return {key: draws.element(dice) for key in keys}


def _whole(name: str, container: Any) -> tuple[Family, ...]:
    if name == "dict":
        return (item_at, item_at, set_key, set_key, remove_key, contained, contained, following)
    if name == "set":
        return (added, discarded, contained, contained, following)
    found: tuple[Family, ...] = (item, item, item, following, following)
    if name == "list":
        found += (set_item, set_item, remove_item)
    if name != "str" and 0 < len(container) <= 6:
        found += (unpacked, unpacked)
    return found


def _tail(name: str, container: Any) -> tuple[Family, ...]:
    if name == "str":
        return (length, grown, grown)
    return (length, appended, appended, popped) if name == "list" else (length,)


def _head(name: str, container: Any) -> tuple[Family, ...]:
    return (truth, truth, kind, converted)


VIEWS: dict[str, Callable[[str, Any], tuple[Family, ...]]] = {"whole": _whole, "tail": _tail, "head": _head}


def _index(dice: Random, container: Any) -> int:
    size = len(container)
    drawn = dice.random()
    if drawn < 0.05 or not size:
        is_behind = dice.random() < 0.7 or size >= FROM_END
        return size + dice.randrange(3) if is_behind else -size - 1
    if drawn < 0.15:
        return -1 - dice.randrange(min(size, 3 if dice.random() < 0.6 else FROM_END))
    return dice.randrange(size)


def _indexed(dice: Random, form: str, container: Any, values: dict[str, Any]) -> Sample:
    index = _index(dice, container)
    if dice.random() < 0.25:
        return Sample(form.replace("INDEX", str(index), 1), {"xs": container, **values})
    return Sample(form.replace("INDEX", "i", 1), {"xs": container, "i": index, **values})


def item(dice: Random, container: Any) -> Sample:
    """By an index."""
    return _indexed(
        dice,
        dice.choice(("x = xs[INDEX]", "x = xs[INDEX]", "return xs[INDEX]", "xs = xs[INDEX]", "xs[INDEX]")),
        container,
        {},
    )


def set_item(dice: Random, container: Any) -> Sample:
    """Another item at an index."""
    value = dice.choice(container) if container and dice.random() < 0.5 else draws.element(dice)
    if dice.random() < 0.15 and isinstance(value, int | str | None):
        return _indexed(dice, f"xs[INDEX] = {value!r}", container, {})
    return _indexed(dice, "xs[INDEX] = v", container, {"v": value})


def remove_item(dice: Random, container: Any) -> Sample:
    """An item that goes."""
    return _indexed(dice, "del xs[INDEX]", container, {})


def following(dice: Random, container: Any) -> Sample:
    """What a loop takes next."""
    size = len(container)
    taken = size if dice.random() < 0.12 else dice.randrange(size + 1)
    form = dice.choice(("for x in xs:", "for x in xs:", "for x in xs:", "x = next(xs)", "x = next(xs, y)"))
    return Sample(form, {"xs": container, "y": None}, Cursor(container, taken))


def unpacked(dice: Random, container: Any) -> Sample:
    """All items to names."""
    count = len(container) if dice.random() < 0.95 else dice.randrange(2, 6)
    names = "abcdef"[: max(count, 1)]
    return Sample(f"{', '.join(names)}{',' if count == 1 else ''} = xs", {"xs": container})


def length(dice: Random, container: Any) -> Sample:
    """How many items."""
    return Sample(dice.choice(("x = len(xs)", "return len(xs)")), {"xs": container})


def grown(dice: Random, container: str) -> Sample:
    """One more character."""
    value = draws.character(dice)
    if dice.random() < 0.3:
        return Sample(f"xs += {value!r}", {"xs": container})
    return Sample(dice.choice(("xs += c", "xs += c", "x = xs + c")), {"xs": container, "c": value})


def appended(dice: Random, container: list[Any]) -> Sample:
    """One more item."""
    value = draws.element(dice)
    if dice.random() < 0.2 and isinstance(value, int | str | None):
        return Sample(f"xs.append({value!r})", {"xs": container})
    return Sample("xs.append(v)", {"xs": container, "v": value})


def popped(dice: Random, container: list[Any]) -> Sample:
    """The last item, which goes."""
    return Sample(dice.choice(("xs.pop()", "x = xs.pop()")), {"xs": container})


def truth(dice: Random, container: Any) -> Sample:
    """Whether there is anything in it."""
    form = dice.choice(("if xs:", "if not xs:", "while xs:", "x = not xs", "return not xs"))
    return Sample(form, {"xs": container})


def kind(dice: Random, container: Any) -> Sample:
    """Its type."""
    return of_type(dice, "xs", container)


def converted(dice: Random, container: Any) -> Sample:
    """The same items in another type, or a walk through them."""
    if dice.random() < 0.5:
        return Sample("x = iter(xs)", {"xs": container})
    if not isinstance(container, str | tuple) and dice.random() < 0.4:
        return Sample(dice.choice(("x = xs.copy()", "return xs.copy()")), {"xs": container})
    form = dice.choice(("x = {}(xs)", "return {}(xs)"))
    kinds = ("tuple", "list") if _is_unhashable(container) else ("tuple", "list", "set", "frozenset")
    return Sample(form.format(dice.choice(kinds)), {"xs": container})


def _is_unhashable(container: Any) -> bool:
    return any(isinstance(each, list | dict) for each in container)


def _key(dice: Random, container: Any, there: float) -> Any:
    if container and dice.random() < there:
        return dice.choice(in_order(container))
    return draws.key(dice)


def _keyed(dice: Random, form: str, key: Any, values: dict[str, Any]) -> Sample:
    if dice.random() < 0.2 and isinstance(key, int | str) and not isinstance(key, type):
        return Sample(form.replace("KEY", repr(key)), values)
    return Sample(form.replace("KEY", "k"), {"k": key, **values})


def item_at(dice: Random, container: Any) -> Sample:
    """By a key."""
    if dice.random() < 0.25:
        return _keyed(
            dice,
            dice.choice(("x = d.get(KEY)", "return d.get(KEY)")),
            _key(dice, container, 0.5),
            {"d": container},
        )
    form = dice.choice(("x = d[KEY]", "return d[KEY]", "x = d[KEY]", "return d[KEY]", "d[KEY]"))
    return _keyed(dice, form, _key(dice, container, 0.92), {"d": container})


def set_key(dice: Random, container: Any) -> Sample:
    """Another value, or one more key."""
    return _keyed(dice, "d[KEY] = v", _key(dice, container, 0.5), {"d": container, "v": draws.element(dice)})


def remove_key(dice: Random, container: Any) -> Sample:
    """A key that goes."""
    return _keyed(dice, "del d[KEY]", _key(dice, container, 0.9), {"d": container})


def contained(dice: Random, container: Any) -> Sample:
    """Whether a key is there."""
    form = dice.choice(("if KEY {} d:", "x = KEY {} d", "return KEY {} d", "while KEY {} d:"))
    return _keyed(
        dice, form.format(dice.choice(("in", "not in"))), _key(dice, container, 0.5), {"d": container}
    )


def added(dice: Random, container: Any) -> Sample:
    """A key in a set."""
    return _keyed(dice, "d.add(KEY)", _key(dice, container, 0.5), {"d": container})


def discarded(dice: Random, container: Any) -> Sample:
    """A key that goes, if it is there."""
    return _keyed(dice, "d.discard(KEY)", _key(dice, container, 0.5), {"d": container})
