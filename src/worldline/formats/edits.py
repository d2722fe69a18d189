"""This file is edits between two values: what was appended, removed or replaced, in the words of Python.

Values are texts as `compact_text.written` gives them (`[1,2]`, no space). An edit follows a name:

    x+3          an item (or several, `x+3,4`) at the end of a list, set or deque; s+'c' for a string
    x[2]=7       item 2 is now 7; d['k']=7 for a dict, where a new key goes to the end
    x[2:4]=7,8   this span is now these items; s[2:4]='cd' for a string
    x[1:]        only this span is left; likewise x[:-1], and of a string s[2:-1]
    x-[2]        item 2 is gone; d-['k'] for a key, s-[7] for the element 7 of a set

and may go deeper: `x[2][0]=5`, `d['k']+3`, `p.items+3` for the attribute of an object. A deque, Counter or
defaultdict is edited as the list or dict that it shows. Law: `apply` of the edits, one after the other, gives
the new value. They are found by common beginnings and ends, in time linear in the size of the two values.
"""

import re
from collections.abc import Sequence

from worldline.formats.compact_items import Body, body_of, closing, colon_of, split
from worldline.formats.compact_text import STRING, UnreadableError

MAX_PATH = 6  # how deep an edit goes
MAX_READ_PATH = 60  # how deep one that is read may go: values are not nested deeper
MAX_PLACES = 4  # how many separate items are replaced one by one

_WHOLE_STRING = re.compile(f"b?{STRING}", re.DOTALL)
_UNIT = re.compile(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)|[^\\]", re.DOTALL)
_SLICE = re.compile(r"(-?[0-9]{1,9})?:(-?[0-9]{1,9})?")
_INDEX = re.compile(r"-?[0-9]{1,9}")
_ATTRIBUTE = re.compile(r"\.([A-Za-z_][A-Za-z0-9_]*)")

Items = Sequence[str]


def edits(name: str, before: str, after: str) -> list[str]:
    """The edits, each with its name, that make one value the other; none if it is better written whole."""
    found = _edits(name, before, after, 0)
    if not found or len(";".join(found)) > len(name) + len(after):
        return []
    value = before
    try:
        for change in found:
            value = apply(value, change[len(name) :])
    except UnreadableError:
        return []
    return found if value == after else []


def _edits(target: str, before: str, after: str, depth: int) -> list[str]:
    if _WHOLE_STRING.fullmatch(before) and _WHOLE_STRING.fullmatch(after):
        return _string_edits(target, before, after)
    old, new = body_of(before), body_of(after)
    if old is None or new is None or depth == MAX_PATH:
        return []
    if (old.kind, old.before, old.after) != (new.kind, new.before, new.after):
        return []
    if old.kind not in ("tuple", "object") and new.inner.startswith(old.inner + "," if old.inner else ""):
        added = new.inner[len(old.inner) + 1 :] if old.inner else new.inner
        if old.kind != "map":
            return [f"{target}+{added}"]
    was, now = split(old.inner), split(new.inner)
    if was is None or now is None:
        return []
    if old.kind == "object":
        return _attribute_edits(target, was, now, depth)
    if old.kind == "map":
        return _key_edits(target, was, now, depth)
    return _item_edits(target, old.kind, was, now, depth)


def _replaced(slot: str, before: str, after: str, depth: int) -> list[str]:
    """The edits of one item: inside it, or the whole of it."""
    inside = _edits(slot, before, after, depth + 1)
    whole = f"{slot}={after}"
    return inside if inside and len(";".join(inside)) < len(whole) else [whole]


def _item_edits(target: str, kind: str, was: Items, now: Items, depth: int) -> list[str]:
    first, last = _same_ends(was, now)
    end = len(was) - last
    if len(was) == len(now):
        places = [place for place in range(first, end) if was[place] != now[place]]
        if len(places) <= MAX_PLACES and kind != "set":
            return [
                edit
                for place in places
                for edit in _replaced(f"{target}[{place}]", was[place], now[place], depth)
            ]
    if kind == "tuple":
        return []
    come = ",".join(now[first : len(now) - last])
    if come:
        return [f"{target}[{first}:{end}]={come}"]
    if kind == "set":
        return [f"{target}-[{element}]" for element in was[first:end]]
    if first == 0:
        return [f"{target}[{end}:]"]
    if last == 0:
        return [f"{target}[:{first - len(was)}]"]
    return [f"{target}-[{first}]" if end == first + 1 else f"{target}-[{first}:{end}]"]


def _key_edits(target: str, was: Items, now: Items, depth: int) -> list[str]:
    """Keys that are gone, changed or new; none if the keys that stay do not keep their order."""
    first, last = _same_ends(was, now)
    old, new = _pairs(was[first : len(was) - last]), _pairs(now[first : len(now) - last])
    if old is None or new is None:
        return []
    kept = [key for key in old if key in new]
    if list(new)[: len(kept)] != kept or (last and len(new) > len(kept)):
        return []
    found = [f"{target}-[{key}]" for key in old if key not in new]
    for key, value in new.items():
        slot = f"{target}[{key}]"
        if key not in old:
            found.append(f"{slot}={value}")
        elif value != old[key]:
            found += _replaced(slot, old[key], value, depth)
    return found


def _attribute_edits(target: str, was: Items, now: Items, depth: int) -> list[str]:
    """Attributes that are changed or new, `name=value` each; the others must be as before."""
    found: list[str] = []
    for place, item in enumerate(now):
        before = was[place] if place < len(was) else ""
        if item == before:
            continue
        name, equals, value = item.partition("=")
        if not equals or (before and not before.startswith(name + "=")):
            return []
        slot = f"{target}.{name}"
        found += _replaced(slot, before[len(name) + 1 :], value, depth) if before else [f"{slot}={value}"]
    return found


def _pairs(items: Items) -> dict[str, str] | None:
    pairs = {}
    for item in items:
        colon = colon_of(item)
        if colon < 0:
            return None
        pairs[item[:colon]] = item[colon + 1 :]
    return pairs


def _string_edits(target: str, before: str, after: str) -> list[str]:
    start = before.index(before[-1]) + 1
    if before[:start] != after[:start] or before[-1] != after[-1]:
        return []
    opening, quote = before[:start], before[-1]
    was, now = _units(before[start:-1]), _units(after[start:-1])
    first, last = _same_ends(was, now)
    come = "".join(now[first : len(now) - last])
    if first == len(was):
        return [f"{target}+{opening}{come}{quote}"]
    if come:
        edit = f"{target}[{first}:{len(was) - last}]={opening}{come}{quote}"
        return [edit] if 2 * len(edit) < len(after) else []
    if first == 0:
        return [f"{target}[{len(was) - last}:]"]
    if last == 0:
        return [f"{target}[:{first - len(was)}]"]
    return [f"{target}-[{first}:{len(was) - last}]"]


def _units(inner: str) -> Items:
    """The characters of a string as `repr` writes them: an escape is one."""
    return inner if "\\" not in inner else _UNIT.findall(inner)


def _same_ends(one: Items, other: Items) -> tuple[int, int]:
    """How many items two sequences have in common at the beginning, and of the rest at the end."""
    first = _same(one, other)
    return first, min(_same(one[::-1], other[::-1]), len(one) - first, len(other) - first)


def _same(one: Items, other: Items) -> int:
    """How many items two sequences have in common from their beginning."""
    size = min(len(one), len(other))
    if one[:size] == other[:size]:
        return size
    low, step = 0, 1
    while one[low : low + step] == other[low : low + step]:
        low += step
        step *= 2
    while step > 1:
        step //= 2
        if one[low : low + step] == other[low : low + step]:
            low += step
    return low


def apply(before: str, edit: str, depth: int = 0) -> str:
    """The value after an edit, given without its name: `apply("[1,2]", "+3")` is `[1,2,3]`."""
    if depth > MAX_READ_PATH:
        raise UnreadableError("the edit goes too deep")
    mark = edit[:1]
    if mark == "+":
        return _extended(before, edit[1:])
    if mark == ".":
        return _with_attribute(before, edit, depth)
    if mark not in ("[", "-"):
        raise UnreadableError(f"{edit[:24]!r} is not an edit")
    start = 1 if mark == "[" else 2
    end = closing(edit[start - 1 :])
    if end < 0:
        raise UnreadableError(f"the bracket of {edit[:24]!r} is not closed")
    slot, rest = edit[start : start - 1 + end], edit[start + end :]
    if mark == "-":
        return _without(before, slot, rest)
    if _SLICE.fullmatch(slot):
        return _spanned(before, slot, rest)
    return _with_item(before, slot, rest, depth)


def _extended(before: str, added: str) -> str:
    if _WHOLE_STRING.fullmatch(before):
        return before[:-1] + _inner(before, added) + before[-1]
    body = _body(before)
    if body.kind in ("tuple", "object") or not added:
        raise UnreadableError(f"nothing can be added at the end of {before[:24]!r}")
    return body.filled(f"{body.inner},{added}" if body.inner else added)


def _without(before: str, slot: str, rest: str) -> str:
    if rest:
        raise UnreadableError(f"{rest[:24]!r} follows what is removed")
    if _SLICE.fullmatch(slot):
        return _spanned(before, slot, "=")
    body, items = _parsed(before)
    place = _place(body, items, slot)
    if place < 0 or body.kind in ("tuple", "object"):
        raise UnreadableError(f"{before[:24]!r} has no item {slot[:24]!r} to remove")
    return body.filled(",".join([*items[:place], *items[place + 1 :]]))


def _with_item(before: str, slot: str, rest: str, depth: int) -> str:
    body, items = _parsed(before)
    place = _place(body, items, slot)
    prefix = f"{slot}:" if body.kind == "map" else ""
    if rest.startswith("=") and len(rest) > 1:
        value = rest[1:]
    elif 0 <= place < len(items):
        value = apply(items[place][len(prefix) :], rest, depth + 1)
    else:
        raise UnreadableError(f"{before[:24]!r} has no item {slot[:24]!r}")
    if place < 0:
        if body.kind != "map":
            raise UnreadableError(f"{before[:24]!r} has no item {slot[:24]!r}")
        items.append("")
    items[place] = prefix + value
    return body.filled(",".join(items))


def _with_attribute(before: str, edit: str, depth: int) -> str:
    match = _ATTRIBUTE.match(edit)
    body, items = _parsed(before)
    if match is None or body.kind != "object":
        raise UnreadableError(f"{before[:24]!r} has no attribute {edit[:24]!r}")
    prefix, rest = f"{match[1]}=", edit[match.end() :]
    place = next((index for index, item in enumerate(items) if item.startswith(prefix)), len(items))
    if rest.startswith("=") and len(rest) > 1:
        items[place:] = [prefix + rest[1:], *items[place + 1 :]]
    elif place < len(items):
        items[place] = prefix + apply(items[place][len(prefix) :], rest, depth + 1)
    else:
        raise UnreadableError(f"{before[:24]!r} has no attribute {match[1]!r}")
    return body.filled(",".join(items))


def _spanned(before: str, slot: str, rest: str) -> str:
    """Only a span is left, or a span is replaced."""
    first, _, last = slot.partition(":")
    span = slice(int(first) if first else None, int(last) if last else None)
    if rest and rest[0] != "=":
        raise UnreadableError(f"{rest[:24]!r} follows a span")
    if _WHOLE_STRING.fullmatch(before):
        start = before.index(before[-1]) + 1
        units = list(_units(before[start:-1]))
        if rest:
            units[span] = [_inner(before, rest[1:])] if len(rest) > 1 else []
        else:
            units = units[span]
        return f"{before[:start]}{''.join(units)}{before[-1]}"
    body, items = _parsed(before)
    if body.kind in ("tuple", "object"):
        raise UnreadableError(f"{before[:24]!r} has no spans")
    if rest:
        items[span] = [rest[1:]] if len(rest) > 1 else []
    else:
        items = items[span]
    return body.filled(",".join(items))


def _inner(before: str, added: str) -> str:
    """What stands between the quotes of `added`, which must be those of `before`."""
    start = before.index(before[-1]) + 1
    if not _WHOLE_STRING.fullmatch(added) or added[:start] != before[:start]:
        raise UnreadableError(f"{added[:24]!r} is not a string with the quotes of {before[:24]!r}")
    return added[start:-1]


def _body(value: str) -> Body:
    body = body_of(value)
    if body is None:
        raise UnreadableError(f"{value[:24]!r} has no items")
    return body


def _parsed(value: str) -> tuple[Body, list[str]]:
    body = _body(value)
    items = split(body.inner)
    if items is None:
        raise UnreadableError(f"the items of {value[:24]!r} cannot be told apart")
    return body, items


def _place(body: Body, items: Items, slot: str) -> int:
    """The number of an item: by position, key or element; -1: there is none."""
    if body.kind == "map":
        prefix = f"{slot}:"
        return next((index for index, item in enumerate(items) if item.startswith(prefix)), -1)
    if body.kind == "set":
        return items.index(slot) if slot in items else -1
    if not _INDEX.fullmatch(slot) or not -len(items) <= int(slot) < len(items):
        return -1
    return int(slot) % len(items)
