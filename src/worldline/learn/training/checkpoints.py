"""This file is a run's folder: checkpoints that are there whole or not at all, and no pickle anywhere.

    FOLDER/README.md            the model card
    FOLDER/training.json        setting, versions, commands
    FOLDER/shape.json           of the network, where it has one
    FOLDER/log.jsonl            speed.jsonl: what the clock says
    FOLDER/checkpoints/N/       model.safetensors, optimiser.safetensors, state.json: the last two
    FOLDER/best.safetensors     the weights with the best score
    FOLDER/model.safetensors    the weights at the end

Of a tensor that has several names (tied weights) only the first is kept.
"""

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from worldline.errors import UserError
from worldline.work.alone import LOCK

KEPT = 2


@dataclass(frozen=True, slots=True)
class State:
    """Where a run is, beside weights and optimiser.

    There are no random states: all generators are seeded anew for each iteration, see `randomness.py`.
    """

    iteration: int = 0  # how many are done
    stage: int = 0
    best: tuple[int, float] | None = None  # stage and score
    best_at: int = 0  # after how many iterations
    loss: float | None = None
    scores: Mapping[str, float] = field(default_factory=dict)  # the latest
    log_bytes: int = 0  # length of log.jsonl


def weights_of(network: Any) -> dict[str, Any]:
    """The tensors of a network by name, each once."""
    found: dict[str, Any] = {}
    seen = set()
    for name, tensor in network.state_dict().items():
        place = tensor.untyped_storage().data_ptr(), tensor.storage_offset(), tuple(tensor.shape)
        if tensor.numel() and place in seen:
            continue
        seen.add(place)
        found[name] = tensor
    return found


def save_tensors(path: Path, tensors: Mapping[str, Any], about: str = "") -> None:
    """Write a safetensors file, whole or not at all."""
    from safetensors.torch import save

    whole = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    _replace(path, save(whole, {"worldline": about} if about else {"format": "pt"}))


def load_weights(network: Any, path: Path) -> None:
    """Fill a network with the weights of a file, which must be its own."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        loaded = load_file(path)
    except (OSError, SafetensorError) as error:
        raise UserError(f"cannot read the weights {path}: {_line(error)}", "give another file") from None
    own = weights_of(network)
    if own.keys() != loaded.keys():
        strange = ", ".join(sorted(own.keys() ^ loaded.keys())[:3])
        raise UserError(f"{path} holds the weights of another network: {strange}", "give another folder")
    with torch.no_grad():
        for name, tensor in own.items():
            if tensor.shape != loaded[name].shape:
                told = f"{name} of {path} is {tuple(loaded[name].shape)}, not {tuple(tensor.shape)}"
                raise UserError(told, "the network has changed: give another folder")
            tensor.copy_(loaded[name])


def trained(folder: Path, which: str = "best") -> Any:
    """The network of a run, from its shape: with its `best` weights, or with those at the end (`model`)."""
    from worldline.learn.networks import Shape, build

    shape = folder / "shape.json"
    if not shape.is_file():
        raise UserError(f"{folder} has no shape.json", "name the folder of a run whose network is a Shape")
    path = folder / f"{which}.safetensors"
    if not path.is_file():
        there = [each for each in ("best", "model") if (folder / f"{each}.safetensors").is_file()]
        hint = f"take those called: {', '.join(there)}" if there else "train it to its end"
        raise UserError(f"{folder} has no {path.name}", hint)
    network = build(Shape(**_json(shape)))
    load_weights(network, path)
    return network.eval()


def facts(folder: Path) -> dict[str, Any]:
    """What is written down of a run: its setting, and the history of its commands."""
    return _json(folder / "training.json")


def save(folder: Path, state: State, network: Any, optimiser: Mapping[str, Any]) -> None:
    """Write a checkpoint, and drop all but the last two."""
    place = folder / "checkpoints"
    final = place / f"{state.iteration:09d}"
    if not final.exists():
        temporary = place / f".{final.name}.new"
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        save_tensors(temporary / "model.safetensors", weights_of(network))
        save_tensors(temporary / "optimiser.safetensors", optimiser)
        write(temporary / "state.json", json.dumps(asdict(state)))
        _sync(temporary)
        temporary.rename(final)
        _sync(place)
    for old in _all(folder)[:-KEPT]:
        shutil.rmtree(old)


def latest(folder: Path) -> Path | None:
    """The last checkpoint of a folder; what a killed process left half written is removed."""
    for left in (folder / "checkpoints").glob(".*.new"):
        shutil.rmtree(left)
    found = _all(folder)
    return found[-1] if found else None


def load(checkpoint: Path, network: Any) -> tuple[State, dict[str, Any]]:
    """Fill a network with the weights of a checkpoint: where the run was, what the optimiser remembered."""
    try:
        state = load_state(checkpoint)
        load_weights(network, checkpoint / "model.safetensors")
        return state, load_optimiser(checkpoint)
    except UserError as error:
        hint = f"remove {checkpoint}: the run then goes on from the checkpoint before it, if there is one"
        raise UserError(error.what, hint) from None


def load_state(checkpoint: Path) -> State:
    """Where the run was."""
    path = checkpoint / "state.json"
    told = _json(path)
    try:
        best = told.pop("best")
        return State(**told, best=None if best is None else (best[0], best[1]))
    except (KeyError, TypeError, IndexError):
        raise UserError(f"{path} is no state of a run", f"remove {checkpoint}") from None


def load_optimiser(checkpoint: Path) -> dict[str, Any]:
    """What the optimiser remembered."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    path = checkpoint / "optimiser.safetensors"
    try:
        return dict(load_file(path))
    except (OSError, SafetensorError) as error:
        raise UserError(f"{path} cannot be read: {_line(error)}", f"remove {checkpoint}") from None


def write(path: Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    _replace(path, text.encode())


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_bytes(content)
    _sync(temporary)
    temporary.replace(path)


def check_place(folder: Path) -> None:
    """Refuse a folder that is something else than a run, or the beginning of one."""
    begun = {LOCK, ".training.json.new"}
    if (folder / "training.json").is_file() or not folder.exists():
        return
    if not folder.is_dir() or any(each.name not in begun for each in folder.iterdir()):
        raise UserError(f"{folder} is there and no run of ours", "give another folder")


def begin(folder: Path, facts: Mapping[str, Any], history: Mapping[str, Any], has_to_be_new: bool) -> None:
    """Write down what run this is, or refuse a folder that is another run's.

    A run that came to no checkpoint may change its setting, one that was never scored the score it goes by.

    Args:
        folder: where; `check_place` has let it pass.
        facts: the setting, by which a run is known again.
        history: command and versions, added to those that were there.
        has_to_be_new: refuse a folder with a run in it.
    """
    path = folder / "training.json"
    told: list[Any] = []
    if path.is_file():
        before = _json(path)
        told = before["history"]
        changed = _differences(before["setting"], facts)
        if has_to_be_new:
            raise UserError(f"there is a run in {folder} already", "give another folder")
        if changed == ["score"] and not (folder / "best.safetensors").exists():
            changed = []
        if changed and (_all(folder) or (folder / "model.safetensors").exists()):
            hint = "give another folder for -o, or the setting it was begun with"
            raise UserError(f"{folder} is a run with another {', '.join(changed)}", hint)
        if changed:
            _forget(folder)
    told = told if history in told else [*told, history]
    write(path, json.dumps({"setting": facts, "history": told}, indent=1))
    if isinstance(facts["network"], dict) and "network" in facts["network"]:
        write(folder / "shape.json", json.dumps(facts["network"], indent=1))
    (folder / "checkpoints").mkdir(exist_ok=True)


def _forget(folder: Path) -> None:
    """Remove what a run that came to no checkpoint has left: it is of another setting."""
    for name in ("best.safetensors", "log.jsonl", "speed.jsonl", "shape.json", "README.md"):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / "tensorboard", ignore_errors=True)


def _json(path: Path) -> dict[str, Any]:
    """A file of ours."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise ValueError("it is no JSON object")
    except (OSError, ValueError) as error:
        raise UserError(f"{path} cannot be read: {error}", "begin anew in another folder") from None
    return found


def _line(error: Exception) -> str:
    """What an error says, on one line."""
    return " ".join(str(error).split())


def _differences(old: Any, new: Any, name: str = "setting") -> list[str]:
    """What is not the same, by name."""
    if isinstance(old, dict) and isinstance(new, dict):
        both = list(dict.fromkeys([*old, *new]))
        return [found for each in both for found in _differences(old.get(each), new.get(each), each)]
    return [] if old == new else [name]


def _all(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "checkpoints").glob("[0-9]*") if path.is_dir())


def _sync(path: Path) -> None:
    """Have it on the disk before anything that counts on it."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
