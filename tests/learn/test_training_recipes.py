"""Recipes and `worldline train`: settings, and one clear line for what is wrong."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from training_samples import CHILD, torch
from typer.testing import CliRunner

from worldline.cli.train import train
from worldline.errors import UserError
from worldline.learn.embedding import pack
from worldline.learn.training.checkpoints import trained
from worldline.learn.training.recipes import default_folder, recipe
from worldline.models.embedded.network import load

EXAMPLE = str(Path(__file__).parents[2] / "recipes" / "example.py")
app = typer.Typer()
app.command()(train)


def test_settings_change_the_recipe_and_the_options():
    config = recipe(f"{EXAMPLE}:copying", ["length=3", "iterations=7", "betas=0.5,0.6", "tensorboard=yes"])
    assert config.network.context == 6
    assert config.sources[0].stream.keywords["length"] == 3
    options = config.options
    assert (options.iterations, options.betas, options.tensorboard) == (7, (0.5, 0.6), True)
    assert options.learning_rate == recipe(f"{EXAMPLE}:copying").options.learning_rate


def test_a_recipe_needs_no_torch():
    program = (
        "import sys, worldline.cli.train; from worldline.learn.training.recipes import recipe;"
        f"recipe({EXAMPLE + ':copying'!r}); print('torch' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", program], env=CHILD, capture_output=True, text=True)
    assert ran.stdout.strip() == "False", ran.stderr


@pytest.mark.parametrize(
    ("target", "chosen", "what", "hint"),
    [
        ("nowhere.py:x", [], "there is no file", "recipes/example.py:copying"),
        ("nowhere", [], "names no recipe", "recipes/example.py:copying"),
        (EXAMPLE, [], "has no recipe 'example'", "example.py:copying"),
        (f"{EXAMPLE}:coping", [], "has no recipe 'coping'", "copying"),
        (f"{EXAMPLE}:copying", ["lenght=3"], "has no setting 'lenght=3'", "length"),
        (f"{EXAMPLE}:copying", ["length"], "has no setting 'length'", "length"),
        (f"{EXAMPLE}:copying", ["iterations=many"], "iterations is no number", "iterations="),
        (f"{EXAMPLE}:copying", ["clip=nan"], "clip is no number", "clip="),
        ("bad.py:x", [], "cannot be loaded: ZeroDivisionError", "python"),
        ("other.py:number", [], "returns a int", "Training"),
        ("other.py", [], "returns a str", "Training"),
        (
            "other.py:numbers",
            [],
            "has no recipe 'numbers'",
            "there are: other.py:number, other.py:other, other.py:bad",
        ),
        ("other.py:bad", [], "cannot be made: ZeroDivisionError", "--set"),
        ("other.py:needy", [], "the parameter size", "size=8"),
    ],
)
def test_a_wrong_recipe_is_one_clear_line(tmp_path, monkeypatch, target, chosen, what, hint):
    (tmp_path / "bad.py").write_text("1 / 0\n")
    made = {"number()": "3", "needy(size)": "size", "other()": "''", "bad(size=0)": "1 / size"}
    recipes = "\n".join(f"def {name}:\n    return {value}\n" for name, value in made.items())
    (tmp_path / "other.py").write_text(recipes)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as error:
        recipe(target, chosen)
    assert what in error.value.what
    assert hint in error.value.hint
    assert "\n" not in error.value.what


@pytest.mark.parametrize("name", ["embedded", "permutation"])
def test_the_recipes_of_the_embedded_model_train(tmp_path, name):
    embedded = Path(EXAMPLE).with_name("embedded.py")
    few = [part for each in ("iterations=1", "batch=2", "compile=no") for part in ("--set", each)]
    target = embedded if name == "embedded" else f"{embedded}:{name}"
    told = CliRunner().invoke(app, [str(target), *few, "-o", str(tmp_path / "run"), "--json"])
    assert told.exit_code == 0, told.output
    packed = tmp_path / "weights.npz"
    assert pack(tmp_path / "run", packed, "model") < 10_000_000
    assert load(str(packed)).about["layers"] == recipe(str(target)).network.layers


def test_broken_files_of_a_run_are_one_clear_line(tmp_path):
    few = [part for each in ("iterations=1", "batch=2") for part in ("--set", each)]

    def told(folder):
        found = CliRunner().invoke(app, [f"{EXAMPLE}:copying", *few, "-o", str(folder), "--json"])
        return found.exception

    assert told(tmp_path / "run") is None
    (tmp_path / "file").write_text("")
    assert "cannot be written" in told(tmp_path / "file" / "run").what
    (tmp_path / "run" / "training.json").write_text("{")
    assert "training.json cannot be read" in told(tmp_path / "run").what


def test_the_example_trains_and_its_network_comes_back(tmp_path):
    few = [part for each in ("iterations=2", "batch=4", "evaluate_every=1") for part in ("--set", each)]
    told = CliRunner().invoke(app, [f"{EXAMPLE}:copying", *few, "-o", str(tmp_path / "run"), "--json"])
    assert told.exit_code == 0, told.output
    found = json.loads(told.stdout)
    assert found["iteration"] == 2
    network = trained(tmp_path / "run", "model")
    assert sum(each.numel() for each in network.parameters()) == found["parameters"]
    with torch.no_grad():
        assert network(torch.zeros(1, 5, dtype=torch.long)).shape == (1, 5, 9)
    with pytest.raises(UserError, match=r"has no nothing.safetensors") as error:
        trained(tmp_path / "run", "nothing")
    assert error.value.hint == "take those called: best, model"


def test_the_same_command_finds_its_folder_again():
    folder = default_folder("a/b.py:c", ["x=1", "y=2"])
    assert folder == default_folder("a/b.py:c", ["y=2", "x=1"])
    assert folder != default_folder("a/b.py:c", ["x=1"])
    assert folder.startswith("b-c-")
