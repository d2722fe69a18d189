"""The page in a real Chromium: open, filter, step, link, compare, and keep hostile text in its place."""

import json
from pathlib import Path

import page_samples
import pytest
from page_reader import PHONE, TITLE

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture
def keys():
    return pytest.importorskip("selenium.webdriver").Keys


def test_the_overview_lists_every_trace(reader, diagnoses):
    reader.open()
    assert reader.browser.title == TITLE
    assert reader.ids() == [*(each.id for each in diagnoses[:-2]), "value (2)", "broken off"]
    assert reader.texts("#overview .badge") == [each.verdict for each in diagnoses]
    assert reader.texts(".figure dd")[0] == str(len(diagnoses))
    assert len(reader.texts("#overview .cell-mini")) == len(diagnoses)


def test_bars_filter_and_combine_and_are_cleared(reader):
    reader.open()
    reader.click(".bar", "diverged")
    assert reader.ids() == ["string", "branch", "value", page_samples.hostile().id, "value (2)", "broken off"]
    reader.click(".bar", "hidden-return")
    reader.click(".bar", "wrong-branch")
    assert reader.ids() == ["branch", "value", "value (2)"]
    assert reader.hash() == "#verdict=diverged&cause=hidden-return&cause=wrong-branch"
    assert reader.texts(".bar[aria-pressed=true] .bar-name") == ["diverged", "hidden-return", "wrong-branch"]
    assert reader.text(".told") == "3 of 8"
    reader.click(".chip", "hidden-return")
    assert reader.ids() == ["branch"]
    reader.click("#clear")
    assert len(reader.ids()) == 8
    assert reader.hash() in ("", "#")
    assert reader.texts(".chip") == []


def test_bars_show_what_the_other_filters_leave(reader):
    reader.open(cause="budget")
    counts = dict(zip(reader.texts(".bar-name"), reader.texts(".bar-count"), strict=True))
    assert (counts["cut"], counts["diverged"], counts["exact"]) == ("1", "1", "0")
    assert reader.ids() == ["cut", "broken off"]


def test_the_list_is_searched_and_sorted(reader):
    reader.open()
    reader.press("/")
    reader.press(*"TOKENS dropped")
    assert reader.ids() == ["string"]
    assert reader.hash() == "#search=TOKENS+dropped"
    reader.open(search="said.strip")
    assert len(reader.ids()) == 7
    reader.click(".sort", "First divergence")
    first = reader.ids()
    reader.click(".sort", "First divergence")
    assert reader.texts("[aria-sort=descending]") == ["First divergence"]
    assert (first[-1], reader.ids()[0]) == ("exact", "exact")
    assert "sort=-first" in reader.hash()


def test_nothing_found_is_said(reader):
    reader.open(search="no such words anywhere")
    assert reader.text(".empty") == "No trace passes these filters."


def test_a_trace_opens_at_its_divergence_and_is_stepped_by_keys(reader, diagnoses, keys):
    reader.open()
    reader.click(".cell-id a", "string")
    frame, last = diagnoses[0].divergence.frame, len(diagnoses[0].real.steps) - 1
    assert reader.step() == frame
    assert reader.text("#told") == "Wrong, own error. Line 4. 1 difference."
    reader.press(keys.ARROW_LEFT)
    assert (reader.step(), reader.text("#told").partition(".")[0]) == (frame - 1, "Right")
    assert reader.hash() == f"#trace=string&step={frame - 1}"
    reader.press("j", "j", "j", "k")
    assert reader.step() == frame + 1
    assert reader.text("#told").startswith("Wrong, carried along.")
    for pressed, place in ((keys.HOME, 0), ("n", frame), (keys.END, last), ("p", last - 1), ("d", frame)):
        reader.press(pressed)
        assert reader.step() == place
    reader.press(keys.HOME, keys.ARROW_LEFT, "p")
    assert reader.step() == 0
    reader.press(keys.ESCAPE)
    assert len(reader.ids()) == 8
    assert reader.run("return document.activeElement.textContent") == "string"


def test_keys_are_shown(reader, keys):
    reader.open(trace="cut")
    reader.press("?")
    assert reader.text("#keys-title") == "Keys"
    assert "d" in reader.texts("#keys kbd")
    assert "to the divergence" in reader.texts("#keys dd")
    reader.press(keys.ESCAPE)
    assert reader.texts("#keys-title") == []
    assert reader.text("#trace-title") == "cut"


def test_a_link_opens_at_a_step_and_keeps_the_filters(reader, keys):
    reader.open(trace="branch", step=2, verdict="diverged")
    assert (reader.text("#trace-title"), reader.step()) == ("branch", 2)
    assert reader.texts(".others .of") == ["2 of 6"]
    reader.press("]")
    assert reader.text("#trace-title") == "value"
    reader.press(keys.ESCAPE)
    assert (len(reader.ids()), reader.hash()) == (6, "#verdict=diverged")
    reader.back()
    assert reader.text("#trace-title") == "value"


@pytest.mark.parametrize("address", [{"trace": "nobody"}, {"trace": ""}, {"verdict": "odd"}, {"sort": "x"}])
def test_a_link_to_nothing_opens_the_overview(reader, address):
    reader.open(**address)
    assert len(reader.ids()) == 8


@pytest.mark.parametrize(("step", "place"), [("-5", 0), ("99999", 22), ("x", 13)])
def test_a_link_to_a_step_that_is_not_there_opens_the_nearest(reader, step, place):
    reader.open(trace="string", step=step)
    assert reader.step() == place


def test_differences_are_marked_to_the_character(reader):
    reader.open(trace="string")
    assert reader.texts(".is-wrong .name") == ["said"]
    assert reader.text(".is-wrong .about") == "differs from character 14"
    assert reader.texts(".is-wrong .value-real mark") == ["O"]
    assert reader.texts(".is-wrong .value-predicted mark") == []
    assert len(reader.texts(".is-wrong .value-predicted .gap")) == 1
    assert reader.texts(".is-wrong .change") == ["changed", "changed"]


def test_both_lines_are_marked_in_words(reader):
    source = page_samples.WORDS
    reader.open(trace="branch")
    marked = reader.run("""return [...document.querySelectorAll('.code li')].map((e, i) =>
        [e.querySelector('.line-tag').textContent, i + 1]).filter(([word]) => word)""")
    upper, join = page_samples.line_of(source, "upper"), page_samples.line_of(source, "join")
    assert [["predicted", upper], ["real", join]] == [each for each in marked if each[0] != "just ran"]
    reader.press("j")
    assert reader.text("#told").startswith("Made up: this step never happens.")
    assert reader.text(".source .note") == "The program has no such step."
    reader.press("j")
    assert reader.text("#told").startswith("Right again.")
    assert "both" in reader.texts(".line-tag")


def test_a_returned_value_and_the_answer_are_compared(reader):
    reader.open(trace="value")
    assert reader.texts(".row-value .name") == ["returns"]
    assert reader.texts(".row-value .value-predicted mark") == ["·"]
    assert reader.texts(".answer dd mark") == ["·"]
    assert "the model's fault" in reader.texts(".answer dd")


def test_a_cut_trace_goes_on_without_the_model(reader):
    reader.open(trace="cut")
    assert reader.text("#told").startswith("Missing: the prediction has ended.")
    assert [each for each in reader.texts(".line-tag") if each] == ["just ran", "real"]
    assert reader.texts(".is-wrong") == []


def test_causes_have_their_weights(reader):
    reader.open(trace="string")
    assert reader.text(".why").startswith("string-value `said` has 15 characters")
    reader.click("summary")
    assert reader.texts(".weight") == ["60 %", "30 %", "10 %"]


def test_the_timeline_is_a_slider_that_can_be_clicked(reader):
    reader.open(trace="string")
    place = reader.run("const r = document.getElementById('timeline').getBoundingClientRect();"
                       "return [r.left, r.top, r.width, r.height]")  # fmt: skip
    for kind in ("mousePressed", "mouseReleased"):
        event = {
            "type": kind,
            "x": place[0] + place[2] - 2,
            "y": place[1] + 20,
            "button": "left",
            "clickCount": 1,
        }
        reader.browser.execute_cdp_cmd("Input.dispatchMouseEvent", event)
    assert reader.step() == 22
    slider = reader.browser.find_element("id", "timeline")
    assert [slider.get_attribute(f"aria-value{each}") for each in ("min", "now", "max")] == ["0", "22", "22"]
    assert slider.get_attribute("aria-valuetext").startswith("22 of 22, wrong, carried along.")


def painted(reader):
    """The colours of the timeline at a quarter of its height from below."""
    return reader.run("""const c = document.querySelector('#timeline canvas'), p = c.getContext('2d');
        return [0.01, 0.99].map((x) => [...p.getImageData(c.width * x, c.height * 0.9, 1, 1).data]);""")


def test_right_and_wrong_have_colours_in_light_and_dark(reader):
    reader.open(trace="string")
    light = painted(reader), reader.run("return getComputedStyle(document.body).backgroundColor")
    reader.scheme("dark")
    reader.run("return new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    dark = painted(reader), reader.run("return getComputedStyle(document.body).backgroundColor")
    assert light[0][0] != light[0][1] != dark[0][1]
    assert all(colour[3] == 255 for colour in (*light[0], *dark[0]))
    assert sum(json.loads(f"[{light[1][4:-1]}]")) > 600 > 150 > sum(json.loads(f"[{dark[1][4:-1]}]"))


def test_hostile_text_stays_text(reader, page):
    name = page_samples.hostile().id
    reader.open(trace=name)
    assert reader.text("#trace-title") == name
    assert reader.texts(".why") == ["string-value <script>window.broken = 5</script> {{script}}"]
    assert "<img src=x" in "".join(reader.texts(".value-predicted code"))
    assert any("window.broken = 1" in line for line in reader.texts(".code li"))
    assert reader.run("return document.querySelectorAll('img, svg [onload], main script').length") == 0
    reader.click("#leave")
    assert name in reader.ids()
    reader.click(".cell-id a", name)
    assert reader.text("#trace-title") == name
    assert reader.run("return window.broken") is None
    assert reader.text("#title") == TITLE
    assert page.read_text().count("</script") == 2


def test_the_slider_is_moved_by_its_own_keys(reader, keys):
    reader.open(trace="string", step=3)
    reader.run("document.getElementById('timeline').focus()")
    reader.press(keys.ARROW_UP, keys.ARROW_UP, keys.ARROW_DOWN, keys.PAGE_DOWN)
    assert reader.step() == 14


def test_no_element_is_taken_for_text(reader, diagnoses):
    for address in ({"verdict": "diverged"}, *({"trace": each.id} for each in diagnoses)):
        reader.open(**address)
        assert "[object" not in reader.run("return document.body.textContent")


def test_a_text_that_ends_within_a_wrong_step_shows_what_it_says(reader):
    reader.open(trace="broken off")
    assert reader.text("#told").startswith("Wrong: the prediction ends within this step.")
    assert reader.texts(".parting dt, .parting dd") == ["said", "real 'the·'", "predicted 'th"]


@pytest.mark.parametrize("address", [{}, *({"trace": each} for each in ("string", "branch", "value"))])
def test_a_phone_needs_no_sideways_scrolling(reader, address):
    reader.screen(PHONE)
    reader.open(**address)
    assert reader.run("return document.documentElement.scrollWidth") == PHONE["width"]
    wide = reader.run("""return [...document.querySelectorAll('main *')]
        .filter(e => e.checkVisibility() && !e.closest('.sr, .cards'))
        .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.className)""")
    assert wide == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", [{"verdict": "diverged"}, {"trace": "string"}, {"trace": "branch"}])
def test_axe_finds_nothing(reader, scheme, address):
    axe = Path(pytest.importorskip("axe_core_python").__file__).with_name("axe.min.js")
    reader.scheme(scheme)
    reader.open(**address)
    reader.run(axe.read_text(encoding="utf-8"))
    found = reader.browser.execute_async_script("axe.run().then(arguments[0])")
    problems = [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found["violations"]]
    assert problems == []
    assert len(found["passes"]) > 10
