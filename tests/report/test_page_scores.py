"""The scores on top of the page, in a real Chromium, and a page without them."""

import re
from html.parser import HTMLParser
from pathlib import Path

import chart_samples
import pytest
from page_reader import LAPTOP, PHONE, TITLE, Reader

from worldline.report.charts import rows, svg
from worldline.report.page import page_html, write_page

CHARTS = (
    chart_samples.by_length(3),
    chart_samples.by_length(),
    chart_samples.cost(),
    chart_samples.hostile(),
)
in_browser = pytest.mark.xdist_group("browser")
BLOCKED = """document.addEventListener("securitypolicyviolation", (event) =>
    (window.blocked = window.blocked || []).push(event.violatedDirective))"""


@pytest.fixture(scope="module")
def scored(tmp_path_factory, diagnoses):
    path = tmp_path_factory.mktemp("page") / "scores.html"
    write_page(diagnoses, path, TITLE, CHARTS, chart_samples.FACTS)
    return path


@pytest.fixture
def reader(browser, scored):
    found = Reader(browser, scored)
    found.screen(LAPTOP)
    found.scheme("light")
    found.errors()
    watch = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": BLOCKED})
    yield found
    assert found.run("return window.blocked || []") == []
    assert found.run("return window.broken") is None
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", watch)
    assert found.errors() == []


def boxes(reader, selector):
    """Left, top, right and bottom of all that is shown."""
    return reader.run(
        """return [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility())
            .map((e) => e.getBoundingClientRect()).map((r) => [r.left, r.top, r.right, r.bottom])""",
        selector,
    )


def size(place):
    left, top, right, bottom = place
    return max(right - left, 0) * max(bottom - top, 0)


def shared(one, other):
    corners = (max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3]))
    return size(corners) if corners[0] < corners[2] and corners[1] < corners[3] else 0


@in_browser
def test_the_charts_are_on_top_and_can_be_seen(reader):
    reader.open()
    assert reader.texts("#overview h2") == ["Scores", "What went wrong, and where", "Traces"]
    drawn = boxes(reader, ".scores svg.chart")
    assert len(drawn) == len(CHARTS)
    assert all(right - left > 500 and bottom - top > 280 for left, top, right, bottom in drawn)
    assert len(boxes(reader, ".scores .point")) == sum(len(each.points) for c in CHARTS for each in c.series)


@in_browser
def test_no_text_of_a_chart_is_cut_or_on_top_of_another(reader):
    reader.open()
    for number, area in enumerate(boxes(reader, ".scores svg.chart"), 1):
        found = boxes(reader, f".chart-card:nth-child({number}) text")
        assert len(found) > 8
        for at, place in enumerate(found):
            assert shared(place, area) == pytest.approx(size(place), rel=1e-3)
            assert all(shared(place, other) < 0.12 * size(place) for other in found[:at])


@in_browser
def test_the_numbers_of_a_chart_are_a_table(reader):
    reader.open()
    assert reader.texts(".numbers td") == []
    reader.click(".numbers summary", "Accuracy by length")
    head, *body = rows(CHARTS[0])
    assert reader.texts(".numbers[open] th") == list(head)
    assert reader.texts(".numbers[open] td") == [cell for row in body for cell in row]


@in_browser
def test_the_facts_are_copied(reader):
    reader.open()
    grant = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    reader.browser.execute_cdp_cmd("Browser.grantPermissions", grant)
    reader.click("#copy-facts")
    read = "navigator.clipboard.readText().then(arguments[0], (error) => arguments[0](String(error)))"
    copied = reader.browser.execute_async_script(read)
    assert copied == "".join(f"{name}: {value}\n" for name, value in chart_samples.FACTS)
    assert reader.text("#copied") == "copied"


@in_browser
def test_the_facts_are_selected_where_copying_is_refused(reader):
    reader.open()
    reader.run("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))")
    reader.click("#copy-facts")
    assert reader.text("#copied").startswith("selected")
    assert "sha256:9f2ab1c4e0d35577" in reader.run("return String(getSelection())")


@in_browser
def test_the_scores_leave_with_the_overview(reader):
    reader.open(trace="string")
    assert boxes(reader, ".scores") == []


@in_browser
def test_a_phone_scrolls_only_within_a_chart(reader):
    reader.screen(PHONE)
    reader.open()
    assert reader.run("return document.documentElement.scrollWidth") == PHONE["width"]
    wide = reader.run("""return [...document.querySelectorAll('.scores *')]
        .filter((e) => e.checkVisibility() && !e.closest('.sr, svg'))
        .filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.className)""")
    assert wide == []
    assert all(right - left >= 500 for left, _, right, _ in boxes(reader, ".scores svg.chart"))


@in_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_axe_finds_nothing(reader, scheme, screen):
    axe = Path(pytest.importorskip("axe_core_python").__file__).with_name("axe.min.js")
    reader.scheme(scheme)
    reader.screen(screen)
    reader.open()
    reader.run("for (const each of document.querySelectorAll('details')) each.open = true")
    reader.run(axe.read_text(encoding="utf-8"))
    found = reader.browser.execute_async_script("axe.run().then(arguments[0])")
    problems = [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found["violations"]]
    assert problems == []
    assert "svg-img-alt" in [each["id"] for each in found["passes"]]


@in_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_mark_stands_out_from_the_card(reader, scheme):
    reader.scheme(scheme)
    reader.open()
    colours = reader.run("""const c = (e, p) => getComputedStyle(e)[p].match(/\\d+/g).slice(0, 3).map(Number);
        return [c(document.querySelector('.chart-card'), 'backgroundColor'),
            ...[...document.querySelectorAll('.scores .point')].map((e) => c(e, 'fill'))]""")
    card, *marks = map(luminance, colours)
    assert len(set(marks)) == 5
    for mark in marks:
        low, high = sorted((card, mark))
        assert (high + 0.05) / (low + 0.05) > 4.5


def luminance(colour):
    shares = (each / 255 for each in colour)
    linear = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares)
    return sum(weight * each for weight, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@in_browser
def test_a_chart_alone_is_a_file_on_white_paper(browser, tmp_path):
    path = tmp_path / "chart.svg"
    path.write_text(svg(CHARTS[1]), encoding="utf-8")
    browser.get(path.as_uri())
    script = (
        "return [document.documentElement.tagName, getComputedStyle(document.querySelector('.paper')).fill]"
    )
    assert browser.execute_script(script) == ["svg", "rgb(255, 255, 255)"]


def test_a_page_without_scores_has_nothing_of_them(diagnoses):
    plain, scored = page_html(diagnoses, "t"), page_html(diagnoses, "t", CHARTS, chart_samples.FACTS)
    assert '<div id="overview" hidden></div>' in plain
    assert not re.search("scores|chart|copy-facts", plain)
    assert len(re.findall('class="chart"', scored)) == len(CHARTS)


def test_charts_and_facts_may_come_alone():
    only_charts, only_facts = page_html([], "t", charts=CHARTS[:1]), page_html([], "t", facts=[("seed", "7")])
    assert 'id="facts"' not in only_charts
    assert '<th scope="row">seed</th><td>7</td>' in only_facts
    assert "<svg" not in only_facts


class Tags(HTMLParser):
    """The elements of a page, and the ids."""

    def __init__(self):
        super().__init__()
        self.tags, self.ids = [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.ids += [value for name, value in attributes if name == "id"]


def test_hostile_names_add_no_element(diagnoses):
    found = Tags()
    found.feed(page_html(diagnoses, "t", CHARTS, chart_samples.FACTS))
    assert found.tags.count("script") == 2
    assert "img" not in found.tags
    assert len(set(found.ids)) == len(found.ids)


def test_scores_take_little_room():
    plain, scored = page_html([], "t"), page_html([], "t", CHARTS[:3], chart_samples.FACTS)
    assert len(scored) - len(plain) < 50_000
