"""This file is a trained Transformer written as a Llama, for transformers, vLLM and all that reads those.

`networks/transformer.py` says which tensor becomes which. The logits are the same up to rounding; a test
loads what is written with transformers and compares.

What it does not cover: networks with a delta rule and attention with a window, which a Llama does not
have, and byte or subword vocabularies (`vocabulary` is one name for each token, told apart by spaces). Our
own `hf:` reads byte-level and SentencePiece tokenizers only: ask such a folder through a server.
"""

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from worldline.errors import UserError, missing_extra
from worldline.learn.networks.shape import Shape
from worldline.learn.training.checkpoints import save_tensors, trained, write

_CARD = """---
library_name: transformers
pipeline_tag: text-generation
tags: [code-world-model, worldline]
---
# {name}

A Transformer of Worldline, written as a Llama: {parameters:,} parameters, {layers} layers of width {width},
{heads} heads, {vocabulary} tokens, trained for up to {context} tokens. The weights are float32.

```python
from transformers import AutoModelForCausalLM
network = AutoModelForCausalLM.from_pretrained("{name}")
```
{words}
## How it was trained
{training}
"""
_WORDS = """
`AutoTokenizer.from_pretrained("{name}")` reads the names of its tokens with a space between them, such as
`{example}`. A name it does not know is an error: there is no token for the unknown.
"""
_NO_WORDS = """
There is no tokenizer: the network takes and gives token numbers.
"""


def to_hugging_face(
    folder: Path,
    output: Path,
    which: str = "best",
    vocabulary: Sequence[str] | None = None,
    end: str | None = None,
) -> list[str]:
    """Write a run's network as a folder that transformers loads as a Llama: names of its files.

    Args:
        folder: of the run, see `training/checkpoints.py`.
        output: a folder that is not there yet, or is empty.
        which: the `best` weights, or those at the end (`model`).
        vocabulary: the name of each token, without spaces: a tokenizer is written for them.
        end: the name of the token that ends a text; decoding stops there.
    """
    network = trained(folder, which)
    shape = network.shape
    _check(shape)
    words = _checked_words(vocabulary, shape.vocabulary, end)
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise UserError(f"{output} is there already", "give a folder that is new or empty")
    ended = None if end is None else words.index(end)
    files = {
        "config.json": json.dumps(_config(shape, ended), indent=2) + "\n",
        "generation_config.json": json.dumps(_generation(shape, ended), indent=2) + "\n",
        **(_tokenizer(words, shape.context, end) if words else {}),
        "README.md": _card(folder, output.name, network, words),
    }
    output.mkdir(parents=True, exist_ok=True)
    save_tensors(output / "model.safetensors", llama_weights(network))
    for name, text in files.items():
        write(output / name, text)
    return ["model.safetensors", *files]


def llama_weights(network: Any) -> dict[str, Any]:
    """The tensors of one of our Transformers under the names that Llama's have; a tied head has none."""
    weights = {name: tensor.detach() for name, tensor in network.state_dict().items()}
    scale = network.scale
    found = {
        "model.embed_tokens.weight": weights["embedding.weight"] * scale,
        "model.norm.weight": weights["norm.weight"] / scale,
    }
    for layer in range(network.shape.layers):
        ours, theirs = f"layers.{layer}.", f"model.layers.{layer}."
        query, key, value = weights[ours + "mixer.inner.weight"].chunk(3)
        gate, up = weights[ours + "feed_forward.inner.weight"].chunk(2)
        found |= {
            theirs + "self_attn.q_proj.weight": query,
            theirs + "self_attn.k_proj.weight": key,
            theirs + "self_attn.v_proj.weight": value,
            theirs + "self_attn.o_proj.weight": weights[ours + "mixer.out.weight"],
            theirs + "mlp.gate_proj.weight": gate,
            theirs + "mlp.up_proj.weight": up,
            theirs + "mlp.down_proj.weight": weights[ours + "feed_forward.out.weight"],
            theirs + "input_layernorm.weight": weights[ours + "mixer_norm.weight"],
            theirs + "post_attention_layernorm.weight": weights[ours + "forward_norm.weight"],
        }
    return {name: tensor.contiguous().clone() for name, tensor in found.items()}


def _check(shape: Shape) -> None:
    if shape.network != "transformer":
        raise UserError(
            f"a {shape.network} cannot be written as a Llama", "only a `transformer` can: train one"
        )
    if 0 < shape.window < shape.context:
        raise UserError(
            f"attention over a window of {shape.window} tokens cannot be written as a Llama",
            "train with window=0",
        )


def _checked_words(vocabulary: Sequence[str] | None, size: int, end: str | None) -> list[str]:
    words = list(vocabulary or ())
    if not words:
        if end is not None:
            raise UserError(f"which token is {end!r}?", "give the vocabulary as well")
        return words
    if len(words) != size:
        raise UserError(
            f"{len(words)} names for a network of {size} tokens", "give one name for each, in order"
        )
    bad = next((word for word in words if word.split() != [word]), None)
    if bad is not None:
        raise UserError(f"{bad!r} cannot name a token", "names are not empty and have no spaces in them")
    if len(set(words)) != len(words):
        twice = next(word for word in words if words.count(word) > 1)
        raise UserError(f"two tokens are called {twice!r}", "give each its own name")
    if end is not None and end not in words:
        raise UserError(f"no token is called {end!r}", f"there are: {', '.join(words[:5])}, ...")
    within = next((word for word in words if end is not None and end in word and end != word), None)
    if within is not None:
        raise UserError(
            f"the token {end!r} that ends a text would be found in {within!r}",
            "tokenizers look for it inside of names too: rename one of the two",
        )
    return words


def _config(shape: Shape, ended: int | None) -> dict[str, Any]:
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.width,
        "intermediate_size": shape.hidden_width,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.heads,
        "head_dim": shape.head_width,
        "hidden_act": "silu",
        "attention_bias": False,
        "mlp_bias": False,
        "attention_dropout": 0.0,
        "rms_norm_eps": _epsilon(),
        "rope_theta": shape.theta,  # for transformers before 5
        "rope_parameters": {"rope_type": "default", "rope_theta": shape.theta},
        "max_position_embeddings": shape.context,
        "tie_word_embeddings": True,
        "dtype": "float32",
        "torch_dtype": "float32",  # for transformers before 5
        "use_cache": True,
        "bos_token_id": None,  # left out, these would be 1 and 2
        "eos_token_id": ended,
        "pad_token_id": None,
    }


def _generation(shape: Shape, ended: int | None) -> dict[str, Any]:
    told: dict[str, Any] = {"do_sample": False, "max_length": shape.context}
    return told if ended is None else {**told, "eos_token_id": ended}


def _epsilon() -> float:
    from worldline.learn.networks.decoder import EPSILON

    return EPSILON


def _tokenizer(words: Sequence[str], context: int, end: str | None) -> dict[str, str]:
    """The files of a tokenizer in which each name is one token."""
    try:
        tokenizers: Any = import_module("tokenizers")
    except ImportError:
        raise missing_extra("tokenizers", "hf") from None
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({word: at for at, word in enumerate(words)}))
    made.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    about: dict[str, Any] = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "clean_up_tokenization_spaces": False,
        "model_max_length": context,
    }
    if end is not None:
        made.add_special_tokens([end])
        about["eos_token"] = end
    return {"tokenizer.json": made.to_str(pretty=True), "tokenizer_config.json": json.dumps(about, indent=2)}


def _card(folder: Path, name: str, network: Any, words: Sequence[str]) -> str:
    from worldline.learn.networks import parameters

    shape = network.shape
    return _CARD.format(
        name=name,
        parameters=parameters(network),
        layers=shape.layers,
        width=shape.width,
        heads=shape.heads,
        vocabulary=shape.vocabulary,
        context=shape.context,
        words=_WORDS.format(name=name, example=" ".join(words[:5])) if words else _NO_WORDS,
        training=_training(folder),
    )


def _training(folder: Path) -> str:
    """The command and the setting, if the folder tells them."""
    path = folder / "training.json"
    if not path.is_file():
        return "The folder it came from does not say."
    told: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    commands = [each["command"] for each in told["history"] if each["command"]]
    written = "\n".join(commands) or "(no command: trained from Python)"
    setting = json.dumps(told["setting"], indent=1)
    return f"```\n{written}\n```\n```json\n{setting}\n```"
