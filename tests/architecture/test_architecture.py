"""This file is what holds the tree to its rules, and the proof that each rule can be broken."""

import importlib.util
from pathlib import Path

import pytest
import rules

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "worldline"
CODE = ("src", "tests", "benchmarks", "examples", "recipes")


def test_a_folder_imports_only_from_folders_above_it():
    assert list(rules.layering(PACKAGE)) == []


def test_every_folder_has_its_place_in_the_list():
    assert list(rules.unknown_folders(PACKAGE)) == []


def test_optional_packages_are_imported_only_where_they_are_used():
    allowed = rules.core_dependencies(ROOT / "pyproject.toml")
    assert list(rules.eager_imports(PACKAGE, allowed)) == []


def test_no_file_is_over_400_lines():
    assert list(rules.long_files(ROOT, CODE)) == []


def test_every_folder_says_what_it_is():
    assert list(rules.undescribed_folders(PACKAGE)) == []


def test_no_path_of_one_machine():
    assert list(rules.machine_paths(ROOT, (*CODE, "docs", ".ci"))) == []


@pytest.mark.parametrize(
    "module", ["worldline", "worldline.cli", "worldline.trace.files", "worldline.record"]
)
def test_importing_loads_nothing_heavy(module):
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not there yet")
    assert rules.loaded_by(module, rules.HEAVY, SOURCE) == []


@pytest.fixture
def package(tmp_path):
    """A small tree that breaks no rule."""
    made = tmp_path / "src" / "worldline"
    for folder in ("trace", "record", "cli"):
        (made / folder).mkdir(parents=True)
        (made / folder / "__init__.py").write_text('"""This folder is a folder."""\n')
    (made / "__init__.py").write_text('"""Worldline."""\n__version__ = "1"\n')
    (made / "errors.py").write_text('"""This file is errors."""\nimport worldline\n')
    (made / "record" / "good.py").write_text(
        "import json\nimport worldline\nfrom worldline import errors\nfrom worldline.trace import model\n"
        "from worldline.errors import UserError\nPLUGINS = {'x': 'worldline.trace.x:read'}\n"
    )
    return made


def test_a_tree_that_keeps_the_rules_passes(package):
    root = package.parent.parent
    assert list(rules.layering(package)) == []
    assert list(rules.unknown_folders(package)) == []
    assert list(rules.eager_imports(package, frozenset())) == []
    assert list(rules.long_files(root, CODE)) == []
    assert list(rules.undescribed_folders(package)) == []
    assert list(rules.machine_paths(root, CODE)) == []


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("trace/bad.py", "from worldline.record import engine\n"),
        ("trace/bad.py", "import worldline.cli\n"),
        ("trace/bad.py", "from worldline import record\n"),
        ("trace/bad.py", "from ..record import engine\n"),
        ("trace/bad.py", "from .. import cli\n"),
        ("trace/bad.py", "def f():\n    if 1:\n        from worldline.cli.show import main\n"),
        ("trace/bad.py", "PLUGINS = {'x': 'worldline.record.engine:record'}\n"),
        ("trace/__init__.py", "from worldline.record import engine\n"),
        ("record/deep/bad.py", "class A:\n    import worldline.cli.show as show\n"),
        ("errors.py", "from worldline.trace import model\n"),
        ("__init__.py", "from worldline.record import record\n"),
        ("other.py", "from worldline.trace import model\n"),
        ("trace/bad.py", "import worldline.other\n"),
    ],
)
def test_an_import_down_the_list_is_found(package, file, source):
    (package / file).parent.mkdir(exist_ok=True)
    (package / file).write_text(source)
    (found,) = rules.layering(package)
    assert found.startswith(f"{file}:")


def test_a_folder_without_a_place_is_found(package):
    (package / "utils").mkdir()
    assert list(rules.unknown_folders(package)) == ["utils"]


@pytest.mark.parametrize(
    "source", ["import numpy\n", "try:\n    from torch import nn\nexcept ImportError:\n    pass\n"]
)
def test_an_eager_import_is_found(package, source):
    (package / "trace" / "bad.py").write_text(source)
    assert len(list(rules.eager_imports(package, frozenset({"rich"})))) == 1


def test_torch_may_be_loaded_by_networks_alone(package):
    for name in ("learn/networks/good.py", "learn/training/bad.py"):
        (package / name).parent.mkdir(parents=True)
        (package / name).write_text("import torch\n")
    found = list(rules.eager_imports(package, frozenset()))
    assert found == ["learn/training/bad.py:1 imports torch"]


def test_an_import_inside_a_function_or_for_types_is_not_eager(package):
    (package / "trace" / "good.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numpy\ndef f():\n    import torch\n"
    )
    assert list(rules.eager_imports(package, frozenset())) == []


@pytest.mark.parametrize("name", ["long.py", "long.c", "long.h"])
def test_a_long_file_is_found(package, name):
    (package / "trace" / name).write_text("\n" * 401)
    assert list(rules.long_files(package.parent.parent, CODE)) == [
        f"src/worldline/trace/{name} has 401 lines"
    ]


@pytest.mark.parametrize("init", [None, "import json\n"])
def test_a_folder_that_does_not_say_what_it_is_is_found(package, init):
    (package / "trace" / "deep").mkdir()
    (package / "trace" / "deep" / "module.py").write_text("")
    if init is not None:
        (package / "trace" / "deep" / "__init__.py").write_text(init)
    assert list(rules.undescribed_folders(package)) == ["worldline/trace/deep"]


@pytest.mark.parametrize("path", ["/home" + "/me/x", "/Users" + "/me", "/work" + "/main/src"])
def test_a_path_of_one_machine_is_found(package, path):
    root = package.parent.parent
    (package / "trace" / "bad.py").write_text(f"\nWHERE = {path!r}\n")
    (root / "README.md").write_text(f"see {root}/src\n")
    found = list(rules.machine_paths(root, CODE))
    assert [line.partition(" ")[0] for line in found] == ["README.md:1", "src/worldline/trace/bad.py:2"]


def test_a_heavy_import_is_found(package):
    (package / "trace" / "bad.py").write_text("import wave\n")
    (package / "trace" / "__init__.py").write_text("import worldline.trace.bad\n")
    assert rules.loaded_by("worldline.trace", ("wave", "chunk"), package.parent)[:1] == ["wave"]
    assert rules.loaded_by("worldline", ("wave",), package.parent) == []


def test_the_dependencies_are_read(tmp_path):
    (tmp_path / "p.toml").write_text('[project]\ndependencies = ["typer>=0.15", "Py-Yaml ; x"]\n')
    assert rules.core_dependencies(tmp_path / "p.toml") == {"typer", "py_yaml"}
