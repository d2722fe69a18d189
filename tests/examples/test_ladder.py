"""The program and the picture of the demo: a model that is always right is right however it is asked."""

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_oracle_climbs_the_whole_ladder(tmp_path: Path) -> None:
    program, picture = tmp_path / "shelf.py", tmp_path / "ladder.svg"
    subprocess.run([sys.executable, EXAMPLES / "library.py", program], check=True)
    assert "def bisect_right" in program.read_text()
    words = [sys.executable, EXAMPLES / "ladder.py", program, "--model", "oracle", "--svg", picture]
    told = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    assert told.count("right") == 6
    assert "not sure" not in told
    assert picture.read_text().startswith("<svg")
