"""This file is how a local model is found and loaded: `PATH_OR_ID,option=value,...`, and what may be wrong.

Only safetensors are read and no code of the model's folder is run. What it does not cover: models that keep a
state of another kind than keys and values (Mamba and other recurrent ones), which are refused.
"""

import inspect
import os
from dataclasses import dataclass, fields, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from worldline.errors import UserError, missing_extra
from worldline.models.hf_vocabulary import LLAMA3_SIZE, Vocabulary, llama3_vocabulary, vocabulary_of

DTYPES = ("auto", "float32", "bfloat16", "float16")
TOKENIZER_FILES = ("tokenizer.json", "tokenizer.model", "vocab.json", "tokenizer_config.json")
LAYERS = {"full_attention", "sliding_attention"}
EXAMPLE = "hf:models/cwm,dtype=bfloat16,device=cuda"


@dataclass(frozen=True, slots=True)
class Options:
    """Which model, and how it is run."""

    path: str  # a folder, or the name of a repository on the hub
    dtype: str = ""  # one of DTYPES; empty: float32 on a CPU, elsewhere what the weights have
    device: str = ""  # as torch names it; empty: a GPU if there is one
    revision: str = ""  # of the repository
    batch: int = 16  # rows that are decoded together
    cache: int = 1024  # megabytes of keys and values kept between requests


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model that is ready."""

    network: Any
    vocabulary: Vocabulary
    context: int | None  # tokens that fit


def options(argument: str) -> Options:
    """Read `PATH_OR_ID,option=value,...`."""
    path, *given = argument.split(",")
    if not path:
        raise UserError("no model is named", f"give a folder or a repository: {EXAMPLE}")
    found = Options(path)
    known = {field.name: type(getattr(found, field.name)) for field in fields(found) if field.name != "path"}
    for item in given:
        name, _, value = item.partition("=")
        if name not in known or not value:
            raise UserError(f"{item!r} is not an option of a model", f"there are: {', '.join(known)}")
        if known[name] is int and not value.isdecimal():
            raise UserError(f"{name}={value} is not a whole number", f"for example {name}=16")
        found = replace(found, **{name: known[name](value)})
    if found.dtype and found.dtype not in DTYPES:
        raise UserError(f"dtype={found.dtype} is not known", f"there are: {', '.join(DTYPES)}")
    return replace(found, batch=max(found.batch, 1))


def load(wanted: Options) -> Loaded:
    """The network and its vocabulary; takes as long as reading the weights does."""
    torch, transformers = _package("torch"), _package("transformers")
    _check_path(wanted.path)
    is_offline = Path(wanted.path).is_dir() or os.environ.get("HF_HUB_OFFLINE", "0") not in ("", "0")
    common: dict[str, Any] = {"trust_remote_code": False, "local_files_only": is_offline}
    if wanted.revision:
        common["revision"] = wanted.revision
    device = wanted.device or ("cuda" if torch.cuda.is_available() else "cpu")
    dtype = wanted.dtype or ("float32" if device == "cpu" else "auto")
    try:
        config = transformers.AutoConfig.from_pretrained(wanted.path, **common)
        _check_kind(config, wanted.path)
        network = transformers.AutoModelForCausalLM.from_pretrained(
            wanted.path, config=config, dtype=dtype, use_safetensors=True, **common
        )
        network.to(device)
    except (OSError, ValueError, RuntimeError) as error:
        first = str(error).strip().partition("\n")[0].rstrip(".")
        raise UserError(
            f"cannot load the model {wanted.path}: {first}",
            "a folder needs config.json and *.safetensors; HF_HUB_OFFLINE=1 looks only into the cache",
        ) from None
    network.eval()
    _check_network(network, wanted.path)
    text = config.get_text_config()
    context = getattr(text, "max_position_embeddings", None)
    return Loaded(network, _vocabulary(transformers, wanted.path, network, common), context)


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise missing_extra(name, "hf") from None


def _check_path(path: str) -> None:
    """A name with at most one slash may be a repository; anything else must be a folder."""
    folder = Path(path)
    if folder.is_dir():
        if not (folder / "config.json").is_file():
            raise UserError(
                f"{path} has no config.json", "name the folder that `save_pretrained` or a download has made"
            )
        return
    is_repository = path.count("/") <= 1 and not path.startswith(("/", ".", "~"))
    if folder.exists() or not is_repository:
        raise UserError(f"{path} is not a folder", f"name a model's folder or its repository: {EXAMPLE}")


def _check_kind(config: Any, path: str) -> None:
    kinds = set(getattr(config.get_text_config(), "layer_types", None) or ())
    if kinds - LAYERS:
        raise UserError(
            f"{path} has layers that are not supported: {', '.join(sorted(kinds - LAYERS))}",
            "serve it with vLLM and ask it by --model http:URL",
        )


def _check_network(network: Any, path: str) -> None:
    taken = inspect.signature(network.forward).parameters
    if getattr(network, "_is_stateful", False) or not {"position_ids", "past_key_values"} <= set(taken):
        raise UserError(
            f"{path} ({type(network).__name__}) keeps no keys and values by position",
            "serve it with vLLM and ask it by --model http:URL",
        )


def _vocabulary(transformers: Any, path: str, network: Any, common: dict[str, Any]) -> Vocabulary:
    """The tokenizer beside the weights, or Llama 3's where there is none and the model is of that kind."""
    text = network.config.get_text_config()
    ends = _ends(network)
    folder = Path(path)
    is_llama3 = text.model_type in ("cwm", "llama") and text.vocab_size == LLAMA3_SIZE
    has_own = not folder.is_dir() or any((folder / name).is_file() for name in TOKENIZER_FILES)
    if not has_own and is_llama3:
        return llama3_vocabulary(ends)
    try:
        if not has_own:
            raise OSError(f"none of {', '.join(TOKENIZER_FILES)} is there")
        loaded = transformers.AutoTokenizer.from_pretrained(path, **common)
    except (OSError, ValueError, ImportError) as error:
        if is_llama3:
            return llama3_vocabulary(ends)
        first = str(error).strip().partition("\n")[0].rstrip(".")
        raise UserError(
            f"{path} has no tokenizer that can be loaded: {first}",
            "copy the tokenizer.json of the model into its folder",
        ) from None
    return vocabulary_of(loaded, ends)


def _ends(network: Any) -> set[int]:
    """The ids that end a text, as the files beside the weights say."""
    found: set[int] = set()
    for holder in (network.generation_config, network.config.get_text_config()):
        ends = getattr(holder, "eos_token_id", None)
        listed: list[int | None] = list(ends) if isinstance(ends, list | tuple) else [ends]
        found |= {number for number in listed if number is not None}
    return found
