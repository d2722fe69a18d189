"""`worldline bench`, `compare` and `report`: output, refusals, and that a broken run goes on."""

import json
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from test_predict_cli import worldline

from interrupts import heed_interrupts

SMALL = ("--set", "lengths=4,8", "--set", "count=2", "--isolation", "process")
ROWS = [
    {
        "id": f"r{n}",
        "code": "def f(a):\n    return a[::-1]\n",
        "input": repr("ab" * n),
        "output": repr("ba" * n),
    }
    for n in range(1, 4)
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two runs of the same problems."""
    folder = tmp_path_factory.mktemp("runs")
    for name, model in (("good", "oracle"), ("bad", "faulty:wrong-return=1,off-by-one=0.3,seed=1")):
        modes = ("--actions", "free", "--actions", "grounded")
        told = worldline(
            "bench", "permutation", "--model", model, *SMALL, *modes, "-o", folder / f"{name}.db"
        )
        assert told.returncode == 0, told.stderr
    return folder


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def test_bench_tells_its_scores_as_json(tmp_path):
    command = ("bench", "permutation", "--model", "oracle", *SMALL, "-o", tmp_path / "run.db", "--json")
    told = worldline(*command)
    found = json.loads(told.stdout)
    assert found["summary"]["count"] == 4
    assert found["summary"]["modes"][0]["right"]["part"] == 4
    setting = found["run"]["setting"]
    assert setting["benchmark"] == "permutation"
    assert len(setting["data"]) == 16
    (first,) = found["run"]["history"]
    assert "bench permutation" in first["command"]
    assert {"worldline", "python"} <= first["versions"].keys()
    assert worldline(*command).stdout == told.stdout  # nothing is asked again
    more = json.loads(worldline(*command, "--actions", "forced").stdout)
    assert [each["modes"] for each in more["run"]["history"]] == [["free"], ["forced"]]


def test_without_a_model_the_embedded_one_is_asked(tmp_path):
    """In the mode that it is made for."""
    small = ("--set", "lengths=4", "--set", "count=1", "--isolation", "process", "-j", "1", "--json")
    told = worldline("bench", "permutation", *small, "-o", "run.db", cwd=tmp_path)
    found = json.loads(told.stdout)
    assert told.returncode == 0, told.stderr
    assert '"embedded@' in told.stdout
    assert "grounded, state, atomic" in json.dumps(found)


def test_a_run_without_a_name_is_found_again(tmp_path):
    for count in (1, 4):
        told = worldline(
            *("bench", "permutation", "--model", "oracle", *SMALL, "--limit", str(count)), cwd=tmp_path
        )
        assert f"{count} scores in permutation-oracle-0-" in told.stderr
    assert len(list(tmp_path.glob("*.db"))) == 1


def test_compare_finds_what_is_worse(runs):
    told = worldline("compare", runs / "good.db", runs / "bad.db", "--json")
    sides = json.loads(told.stdout)["sides"]
    assert [side["name"] for side in sides][::2] == ["good (free)", "bad (free)"]
    assert sides[0]["right"]["part"] == 4
    assert sides[2]["exact"]["part"] < 4
    shown = worldline("compare", runs / "good.db", runs / "bad.db").stdout
    assert "losses" in shown


def test_report_makes_a_page_and_markdown(runs, tmp_path):
    told = worldline(
        *("report", runs / "bad.db", "--html", tmp_path / "page.html", "--markdown", tmp_path / "page.md"),
        *("--isolation", "process"),
    )
    assert told.returncode == 0, told.stderr
    assert "8 of 8 traces" in told.stderr
    page = (tmp_path / "page.html").read_text()
    assert "Answers right by length" in page
    assert "What a right answer costs" in page
    text = (tmp_path / "page.md").read_text()
    assert "| length | mode |" in text
    assert "- model: faulty:" in text
    assert "Causes" in worldline("report", runs / "bad.db").stdout


def test_tokens_and_degrade_ask_no_model(rows):
    told = worldline("bench", "tokens", "--data", rows, "--isolation", "process", "--json")
    found = json.loads(told.stdout)["budgets"]
    assert {each["format"] for each in found} >= {"cwm", "compact"}
    assert all(each["count"] == 3 and each["cut"]["8192"] == 0 for each in found)
    cut = worldline(
        *("bench", "tokens", "--data", rows, "--isolation", "process", "--json"),
        *("--set", "budgets=1,100000", "--set", "formats=cwm", "--rewrite", "none", "--rewrite", "atomic"),
    )
    plain, atomic = json.loads(cut.stdout)["budgets"]
    assert plain["cut"] == {"1": 3, "100000": 0}
    assert atomic["mean"] > plain["mean"]
    worse = worldline(
        *("bench", "degrade", "--isolation", "process", "--set", "limit=2", "--set", "rates=0,0.5"),
        *("--set", "kinds=state", "--set", "seeds=2", "--json"),
    )
    clean, dirty = json.loads(worse.stdout)
    assert clean["accuracy"] == 1 > dirty["accuracy"]


@pytest.mark.parametrize(
    "args",
    [
        ("bench", "permutations", "--model", "oracle"),
        ("bench", "permutation", "--model", "oracel"),
        ("bench", "permutation", "--model", "oracle", "--set", "length=3"),
        ("bench", "permutation", "--model", "oracle", "--actions", "guessed"),
        ("bench", "permutation", "--model", "oracle", "--rewrite", "all"),
        ("bench", "permutation", "--model", "oracle", "--engine", "rey", "--isolation", "process"),
        ("bench", "permutation", "--model", "oracle", "--data", "x.jsonl"),
        ("bench", "permutation", "--model", "oracle", "-o", "none/run.db"),
        ("bench", "cruxeval", "--model", "oracle"),
        ("bench", "cruxeval", "--model", "oracle", "--data", "nowhere.jsonl"),
        ("bench", "cruxeval", "--model", "answers:nowhere.json", "--data", "nowhere.jsonl"),
        ("bench", "tokens"),
        ("bench", "degrade", "--set", "kinds=typo", "--isolation", "process"),
        ("compare", "nowhere.db"),
        ("report", "nowhere.db"),
        ("report", "{rows}"),
    ],
)
def test_wrong_input_is_one_clear_line(args, rows, tmp_path):
    told = worldline(*(str(arg).replace("{rows}", str(rows)) for arg in args), cwd=tmp_path)
    assert told.returncode == 2, told.stdout + told.stderr
    assert told.stdout == ""
    assert told.stderr.startswith("error: ")
    assert "Traceback" not in told.stderr
    assert len(told.stderr.strip().splitlines()) <= 3


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_broken_run_goes_on(tmp_path, sent):
    """What was told is kept, and only the rest is asked."""
    out = tmp_path / "run.db"
    command = [
        sys.executable,
        "-m",
        "worldline.cli",
        "bench",
        "permutation",
        "--model",
        "oracle",
        "-o",
        str(out),
    ]
    command += [
        "--set",
        "lengths=200,400",
        "--set",
        "count=12",
        "--isolation",
        "process",
        "--context",
        "state",
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    ) as broken:
        deadline = time.monotonic() + 60
        while _count(out) < 3 and time.monotonic() < deadline:
            time.sleep(0.05)
        workers = descendants(broken.pid)
        broken.send_signal(sent)
        _, told = broken.communicate(timeout=60)
    assert workers
    deadline = time.monotonic() + 20
    while any(map(is_alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(is_alive, workers))
    before = _count(out)
    assert 3 <= before < 24
    if sent != signal.SIGKILL:
        assert broken.returncode == 130
        assert "go on with the same command and -o" in told
    again = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    assert json.loads(again.stdout)["summary"]["count"] == 24
    assert _count(out) == 24


def descendants(pid):
    """The processes that a process has started, and those that they have."""
    children = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(folder.name))
    found, waiting = [], [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def is_alive(pid):
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _count(path):
    from worldline.errors import UserError
    from worldline.work.store import opened

    try:
        with opened(path) as store:
            return len(store.keys())
    except UserError:
        return 0
