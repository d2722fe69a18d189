"""This file is the charts of a run: accuracy by what grows (length, depth), and cost against accuracy."""

from collections.abc import Mapping, Sequence
from typing import Any

from worldline.bench.summary import Group, Share, Summary
from worldline.report.charts import Chart, Point, Series

WIDE = 16  # the largest by the smallest x from which on an axis is logarithmic


def charts(found: Summary, facts: Mapping[str, Any]) -> list[Chart]:
    """What a run has to show."""
    setting = facts.get("setting", {})
    note = f"{setting.get('model', '')}; n = {found.count}; seed {setting.get('seed', 0)}; 95 % intervals"
    made = [
        *_by_label(found, "Answers right", "right", note),
        *_by_label(found, "Every step right", "exact", note),
    ]
    priced = [group for group in found.modes if group.spent > 0]
    return [*made, _cost(priced, note)] if len(priced) > 1 else made


def _by_label(found: Summary, title: str, which: str, note: str) -> list[Chart]:
    label = next(
        (name for group in found.groups for name, value in group.labels.items() if _is_size(value)), ""
    )
    if not label or len({group.labels[label] for group in found.groups}) < 2:
        return []
    lines: dict[str, list[Point]] = {}
    for group in found.groups:
        others = [str(value) for name, value in group.labels.items() if name != label]
        name = ", ".join([*others, group.mode])
        share = getattr(group, which)
        if share is not None and _is_size(group.labels[label]):
            lines.setdefault(name, []).append(_point(float(group.labels[label]), share))
    if not lines:
        return []
    xs = [point.x for points in lines.values() for point in points]
    is_wide = min(xs) > 0 and max(xs) / min(xs) >= WIDE
    series = [Series(name, sorted(points, key=lambda point: point.x)) for name, points in lines.items()]
    return [Chart(f"{title} by {label}", label, title.lower(), series, is_wide, (0.0, 1.0), "lines", note)]


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _point(x: float, share: Share, label: str = "") -> Point:
    low, high = (share.interval.low, share.interval.high) if share.interval else (None, None)
    return Point(x, share.value, low, high, label)


def _cost(groups: Sequence[Group], note: str) -> Chart:
    series = [Series(group.mode, [_point(group.spent, group.right, group.mode)]) for group in groups]
    title = "What a right answer costs"
    return Chart(title, "tokens a problem", "answers right", series, True, (0.0, 1.0), "scatter", note)


def facts_rows(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """All that the numbers need beside them, as pairs."""
    setting = dict(facts["setting"])
    settings = setting.pop("settings", {})
    told = [(name.replace("_", " "), str(value)) for name, value in setting.items()]
    told += [(name, str(value)) for name, value in settings.items()]
    for each in facts.get("history", []):
        told.append(("command", each["command"]))
        told.append(("on", ", ".join(f"{name} {version}" for name, version in each["versions"].items())))
    return told
