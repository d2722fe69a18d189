"""How quick the page is in a real Chromium: 200 traces with 50,000 steps in all.

    python benchmarks/page.py [--keep FILE.html]

It tells the size of the file, the time from navigation to a list that can be used (script done, first paint),
and the times to filter, to open a trace, and to step 100 times with the layout made each time.
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

from worldline.diagnose.model import Alignment, Answer, Cause, Diagnosis, Divergence, Pair, WrongVariable
from worldline.report.page import write_page
from worldline.trace.model import Ending, Entry, Origin, Program, Step, Trace

TRACES, STEPS, ROUNDS = 200, 250, 5
CAUSES = ("string-value", "stale", "arithmetic", "container-value", "method-semantics", "wrong-branch")
SOURCE = """def f(words, limit):
    total, said, seen = 0, "", []
    for index, word in enumerate(words):
        total += len(word) * index % limit
        said = said[-40:] + word[::-1]
        if word not in seen:
            seen.append(word)
    return said, total
"""
BODY = (3, 4, 5, 6, 7)
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--window-size=1280,800"),
)
TIMES = """const [page] = performance.getEntriesByType("navigation");
const paint = performance.getEntriesByName("first-contentful-paint")[0];
const rows = document.querySelectorAll(".cell-id").length;
return [page.domContentLoadedEventEnd, paint ? paint.startTime : 0, rows]"""
MEASURED = """const start = performance.now(); %s
void document.body.offsetHeight; return performance.now() - start"""
STEP = """for (let at = 0; at < 100; at++) {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  void document.body.offsetHeight;
}"""


def steps_of(dice: random.Random, count: int) -> tuple[Step, ...]:
    """Steps of a loop over words, with values as programs have them."""
    words = ["".join(dice.choices("abcdefghij", k=dice.randint(3, 9))) for _ in range(count // 5 + 1)]
    state = {"words": repr(words[:12]), "limit": str(dice.randint(5, 99))}
    found = [Step("call", 1, dict(state), function="f")]
    total, said, seen = 0, "", []
    for number in range(count - 2):
        index, line = divmod(number, 5)
        if line == 1:
            state |= {"index": str(index), "word": repr(words[index])}
        elif line == 2:
            total += len(words[index])
        elif line == 3:
            said = said[-40:] + words[index][::-1]
        elif line == 4:
            seen = [*seen[-12:], words[index]]
        state |= {"total": str(total), "said": repr(said), "seen": repr(seen)}
        found.append(Step("line", BODY[line], dict(state), function="f"))
    return (*found, Step("return", 8, {}, repr((said, total)), function="f"))


def diagnosis(number: int) -> Diagnosis:
    """A prediction that goes wrong in one variable, recovers twice, and ends one step late."""
    dice = random.Random(number)
    program = Program(SOURCE, Entry("call", f"f(words, {number})"))
    steps = steps_of(dice, STEPS)
    real = Trace(program, steps, Ending("returned", steps[-1].value), Origin("recorded", "a benchmark"))
    at = dice.randrange(20, STEPS - 60)
    wrong = {*range(at, at + 15), *range(at + 30, STEPS)}
    told = [
        replace(step, locals={**step.locals, "said": step.locals["said"].replace("a", "e", 1)})
        if index in wrong and step.locals
        else step
        for index, step in enumerate(steps)
    ]
    pairs = [
        Pair(index, index, index not in wrong, None if index not in wrong else index in (at, at + 30))
        for index in range(STEPS)
    ]
    texts = steps[at].locals["said"], told[at].locals["said"]
    return Diagnosis(
        f"sample_{number}",
        real,
        Trace(program, tuple(told), real.ending, Origin("predicted", "a benchmark")),
        "diverged",
        Divergence(at, at, "state", steps[at].line, (WrongVariable("said", *texts, "str"),), *texts),
        Alignment(tuple(pairs)),
        (Cause(dice.choice(CAUSES), "one letter of `said` is another one"),),
        Answer(real.ending.value, real.ending.value, True),
        "model",
        tokens=dice.randrange(500, 20000),
    )


def browser(profile: str):
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    return webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))


def measure(driver, page: Path) -> dict[str, float]:
    driver.get("about:blank")
    driver.get(page.as_uri())
    time.sleep(0.3)  # until the first paint is noted
    ready, painted, rows = driver.execute_script(TIMES)
    assert rows == TRACES, rows
    click = "document.querySelectorAll('.bar')[2].click();"
    times = {"list usable": max(ready, painted), "filter": driver.execute_script(MEASURED % click)}
    driver.execute_script("location.hash = '#'")
    time.sleep(0.1)
    link = "location.hash = '#trace=sample_7&step=0'; dispatchEvent(new HashChangeEvent('hashchange'));"
    times["open a trace"] = driver.execute_script(MEASURED % link)
    times["100 steps"] = driver.execute_script(MEASURED % STEP)
    assert driver.execute_script("return document.querySelector('.place b').textContent") == "100"
    return times


def main() -> None:
    """Build, open, measure, tell."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--keep", type=Path, help="where to leave the page")
    keep = parser.parse_args().keep
    if not shutil.which("chromedriver"):
        sys.exit("error: no Chromium here\n  hint: apt-get install chromium chromium-driver")
    with tempfile.TemporaryDirectory() as folder:
        page = keep or Path(folder) / "page.html"
        diagnoses = [diagnosis(number) for number in range(TRACES)]
        start = time.perf_counter()
        write_page(diagnoses, page.resolve(), "A set of 200 traces")
        built = time.perf_counter() - start
        driver = browser(f"{folder}/profile")
        try:
            rounds = [measure(driver, page.resolve()) for _ in range(ROUNDS)]
        finally:
            driver.quit()
        print(f"{TRACES} traces, {TRACES * STEPS:,} real steps, {page.stat().st_size / 1e6:.2f} MB")
        print(f"written in       {built:8.2f} s")
        for name in rounds[0]:
            values = [each[name] for each in rounds]
            print(f"{name:<16} {median(values):8.1f} ms  (median of {ROUNDS}, most {max(values):.1f})")


if __name__ == "__main__":
    main()
