"""This file is the rules of the tree: each is a function that lists where a tree breaks it."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

LAYERS = (
    *("trace", "work", "record", "flow", "formats", "tokens", "rewrite", "models", "rollout", "diagnose"),
    *("bench", "learn", "report", "cli"),
)
"""A folder imports only from those before it; DESIGN says what each is."""

ROOT_MODULES = ("", "errors", "plugins", "__init__")
MAX_LINES = 400
HEAVY = ("torch", "numpy", "pyarrow")
PLUGIN = re.compile(r"worldline\.([\w.]+):\w+")
MACHINE = re.compile(r"/work[/](?:main|shared)|/(?:home|Users)/\w")


def layering(package: Path) -> Iterator[str]:
    """Imports that go down the list of folders, wherever in a file they stand."""
    for path, tree in _modules(package):
        here = path.relative_to(package).parts[0]
        for line, target in _imports(path, tree, package):
            if not _may_import(here, target):
                yield f"{path.relative_to(package)}:{line} imports {target or 'worldline'}"


def unknown_folders(package: Path) -> Iterator[str]:
    """Folders that are not in the list."""
    for folder in sorted(package.iterdir()):
        if folder.is_dir() and folder.name not in LAYERS and folder.name != "__pycache__":
            yield folder.name


def eager_imports(package: Path, allowed: frozenset[str]) -> Iterator[str]:
    """Packages that are imported as soon as a module is, though the core does not depend on them."""
    for path, tree in _modules(package):
        is_network = path.is_relative_to(package / "learn" / "networks")
        for node in _top_level(tree.body):
            for name in _names(node):
                top = name.partition(".")[0]
                if is_network and top == "torch":  # they are classes of torch, and nothing else loads them
                    continue
                if top != "worldline" and top not in sys.stdlib_module_names and top not in allowed:
                    yield f"{path.relative_to(package)}:{node.lineno} imports {top}"


def long_files(root: Path, folders: tuple[str, ...]) -> Iterator[str]:
    """Files of code that are asking to be split."""
    for path in _files(root, folders, (".py", ".c", ".h")):
        count = len(path.read_text(encoding="utf-8").splitlines())
        if count > MAX_LINES:
            yield f"{path.relative_to(root)} has {count} lines"


def undescribed_folders(package: Path) -> Iterator[str]:
    """Folders without an `__init__.py` that says what they are."""
    for folder in (package, *sorted(path for path in package.rglob("*") if path.is_dir())):
        if not any(folder.glob("*.py")):
            continue
        init = folder / "__init__.py"
        if not init.exists() or not ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))):
            yield str(folder.relative_to(package.parent))


def machine_paths(root: Path, folders: tuple[str, ...]) -> Iterator[str]:
    """Places that name a path which is there on one machine only."""
    here = re.compile(f"{MACHINE.pattern}|{re.escape(str(root.resolve()))}")
    tops = [path for path in root.iterdir() if path.is_file() and not path.name.startswith(".coverage")]
    for path in [*tops, *_files(root, folders, ("",))]:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(lines, 1):
            if here.search(line):
                yield f"{path.relative_to(root)}:{number} {line.strip()[:80]}"


def loaded_by(module: str, wanted: tuple[str, ...], source: Path) -> list[str]:
    """Which of the wanted modules a fresh interpreter has after importing `module`."""
    program = f"import sys; sys.path.insert(0, {str(source)!r}); import {module}; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return [name for name in wanted if name in ran.stdout.split()]


def core_dependencies(pyproject: Path) -> frozenset[str]:
    """The packages that are always installed."""
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    return frozenset(
        re.split(r"[^\w-]", line)[0].replace("-", "_").lower() for line in project["dependencies"]
    )


def _may_import(here: str, target: str) -> bool:
    top = target.partition(".")[0]
    if top in ROOT_MODULES:
        return True
    if here.removesuffix(".py") in ROOT_MODULES or here not in LAYERS or top not in LAYERS:
        return False
    return LAYERS.index(top) <= LAYERS.index(here)


def _imports(path: Path, tree: ast.Module, package: Path) -> Iterator[tuple[int, str]]:
    """Line and module (without `worldline.`) of everything in the package that a file refers to."""
    for node in ast.walk(tree):
        for name in _names(node, path, package):
            if name == "worldline" or name.startswith("worldline."):
                yield node.lineno, name.removeprefix("worldline").removeprefix(".")
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            plugin = PLUGIN.fullmatch(node.value)
            if plugin:
                yield node.lineno, plugin[1]


def _names(node: ast.AST, path: Path | None = None, package: Path | None = None) -> list[str]:
    """The modules that a statement imports; `from worldline import x` may mean the module x."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    module = node.module or ""
    if node.level and (path is None or package is None):
        return []
    if node.level:
        inside = path.relative_to(package.parent).parts[: -node.level]
        module = ".".join([*inside, *([module] if module else [])])
    if module == "worldline" and package is not None:
        return [f"worldline.{alias.name}" for alias in node.names if (package / alias.name).is_dir()] or [
            module
        ]
    return [module]


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that run when the module is imported, but for those only a type checker reads."""
    for node in body:
        yield node
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.If | ast.Try | ast.With | ast.ClassDef | ast.For | ast.While):
            for part in ("body", "orelse", "finalbody"):
                yield from _top_level(getattr(node, part, []))


def _modules(package: Path) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(package.rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def _files(root: Path, folders: tuple[str, ...], suffixes: tuple[str, ...]) -> Iterator[Path]:
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            is_hidden = any(part.startswith((".", "__pycache__")) for part in path.relative_to(root).parts)
            if path.is_file() and path.name.endswith(suffixes) and not is_hidden:
                yield path
