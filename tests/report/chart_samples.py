"""Charts made by hand, as a benchmark run has them."""

from worldline.report.charts import Chart, Point, Series

LENGTHS = (4, 8, 16, 32, 64)
ACCURACY = {
    "free actions": (0.97, 0.86, 0.61, 0.33, 0.12),
    "grounded actions, forced states": (1.0, 1.0, 0.98, 0.94, 0.88),
    "forced actions, rewritten: strings": (0.99, 0.95, 0.83, 0.70, 0.52),
    "free actions, state only, reveal 8": (0.95, 0.86, 0.67, 0.41, 0.2),
    "free actions, rewritten: microcode": (0.96, 0.9, 0.79, 0.66, 0.47),
}
TOKENS = (812.0, 3010.5, 1180.0, 905.0, 9400.0)
HOSTILE = (
    "</title></svg></table></script><script>window.broken = 8</script>"
    """<img src=x onerror="window.broken=9">'"""
)
FACTS = (
    ("model", "embedded small-1, 2.1 M parameters"),
    ("benchmark", "lengths, 100 problems a length"),
    ("seed", "7"),
    ("data", "sha256:9f2ab1c4e0d35577"),
    ("versions", "worldline 0.1.0, Python 3.11.7"),
    ("command", "worldline bench run lengths --model small-1 --seed 7 --set lengths=4,8,16,32,64"),
    ("isolation", "bwrap"),
    (HOSTILE, f"{{{{script}}}} {HOSTILE}"),
)


def point(x: float, y: float, label: str = "") -> Point:
    return Point(x, y, max(0.0, y - 0.07), min(1.0, y + 0.06), label)


def by_length(count: int = len(ACCURACY)) -> Chart:
    series = [
        Series(name, [point(*each) for each in zip(LENGTHS, values, strict=True)])
        for name, values in list(ACCURACY.items())[:count]
    ]
    note = (
        "95 % Wilson intervals, 100 problems a point. A problem is right if the answer is what Python gives."
    )
    return Chart("Accuracy by length", "steps of the trace", "accuracy", series, True, (0, 1), "lines", note)


def cost() -> Chart:
    series = [
        Series(name, [point(tokens, sum(values) / len(values))])
        for (name, values), tokens in zip(ACCURACY.items(), TOKENS, strict=True)
    ]
    title, x_title = "Cost against accuracy", "tokens spent a problem"
    return Chart(title, x_title, "accuracy", series, True, (0, 1), "scatter")


def hostile() -> Chart:
    points = [Point(1, 0.5, 0.4, 0.6, HOSTILE), Point(2, 0.6, None, None, "\x00\ud800\ufffe]]>&lt;")]
    series = [Series(HOSTILE, points), Series("{{data}}", points[:1])]
    return Chart(HOSTILE, HOSTILE, HOSTILE, series, kind="scatter", note=HOSTILE)
