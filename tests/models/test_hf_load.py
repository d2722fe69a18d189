"""This file is how a local model is named and loaded, and what is said where that cannot be."""

import json
import sys

import pytest
from hf_weights import (
    ROPE,
    SHAPE,
    cwm_config,
    save_cwm,
    save_llama,
    save_network,
    save_words,
    torch,
    transformers,
)

from worldline.errors import UserError
from worldline.models import model
from worldline.models.hf import Options, options
from worldline.models.model import Ask
from worldline.tokens import SPECIAL, tokenizer


def test_options_are_read():
    found = options("org/model,dtype=bfloat16,device=cuda:1,revision=abc,batch=4,cache=0")
    assert found == Options("org/model", "bfloat16", "cuda:1", "abc", 4, 0)


@pytest.mark.parametrize(
    ("argument", "what"),
    [
        ("", "no model is named"),
        ("x,colour=red", "'colour=red' is not an option"),
        ("x,dtype", "'dtype' is not an option"),
        ("x,dtype=int4", "dtype=int4 is not known"),
        ("x,batch=many", "batch=many is not a whole number"),
        ("./nowhere", "./nowhere is not a folder"),
        ("a/b/c", "a/b/c is not a folder"),
    ],
)
def test_a_bad_name_is_told(argument, what):
    with pytest.raises(UserError) as caught:
        model(f"hf:{argument}")
    assert what in caught.value.what
    assert caught.value.hint


@pytest.mark.parametrize("package", ["torch", "transformers"])
def test_a_missing_package_names_the_install_line(package, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UserError) as caught:
        model(f"hf:{tmp_path}")
    assert caught.value.hint == "pip install 'worldline[hf]'"


def test_a_repository_that_is_not_here_is_told(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(UserError, match="cannot load the model nobody/nothing"):
        model("hf:nobody/nothing")


def test_a_folder_without_its_parts_is_told(tmp_path):
    with pytest.raises(UserError, match=r"has no config\.json"):
        model(f"hf:{tmp_path}")
    cwm_config().save_pretrained(tmp_path)
    with pytest.raises(UserError, match="cannot load the model"):
        model(f"hf:{tmp_path}")
    save_network(tmp_path, transformers.CwmForCausalLM, cwm_config())
    with pytest.raises(UserError, match="has no tokenizer that can be loaded"):
        model(f"hf:{tmp_path}")


def test_pickled_weights_are_not_read(tmp_path):
    save_cwm(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    torch.save({}, tmp_path / "pytorch_model.bin")
    with pytest.raises(UserError, match="cannot load the model"):
        model(f"hf:{tmp_path}")


def test_code_of_the_folder_is_not_run(tmp_path):
    save_cwm(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.Own", "AutoModelForCausalLM": "own.Own"}}
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    with pytest.raises(UserError, match="cannot load the model"):
        model(f"hf:{tmp_path}")
    assert not (tmp_path / "ran").exists()


def test_a_recurrent_model_is_refused(tmp_path):
    save_words(tmp_path)
    config = transformers.MambaConfig(vocab_size=266, hidden_size=8, num_hidden_layers=1, state_size=2)
    save_network(tmp_path, transformers.MambaForCausalLM, config)
    with pytest.raises(UserError, match="layers that are not supported: linear_attention"):
        model(f"hf:{tmp_path}")


def test_a_model_without_positions_is_refused(tmp_path):
    save_words(tmp_path)
    config = transformers.BloomConfig(vocab_size=266, hidden_size=8, n_layer=1, n_head=1)
    save_network(tmp_path, transformers.BloomForCausalLM, config)
    with pytest.raises(UserError, match="keeps no keys and values by position"):
        model(f"hf:{tmp_path}")


def test_the_name_and_what_it_can(tmp_path):
    loaded = model(f"hf:{save_llama(tmp_path)}")
    assert loaded.name == f"hf:{tmp_path},dtype=float32"
    assert loaded.can.special_tokens
    assert loaded.can.context == 512
    assert loaded.can.logprobs
    assert loaded.can.scoring
    assert loaded.can.choices
    assert loaded.can.seeds
    assert loaded.count("ab<|frame_sep|>é") == 5


def test_a_vocabulary_without_trace_tokens_is_told(tmp_path):
    save_cwm(tmp_path)
    save_words(tmp_path, SPECIAL[:2])
    loaded = model(f"hf:{tmp_path}")
    assert not loaded.can.special_tokens
    assert loaded.count("<|frame_sep|>") == len("<|frame_sep|>")


def test_weights_of_half_the_size(tmp_path):
    loaded = model(f"hf:{save_cwm(tmp_path)},dtype=bfloat16")
    assert loaded.name.endswith("dtype=bfloat16")
    (answer,) = loaded.complete([Ask("ab", max_tokens=3)])
    assert all(token.logprob <= 0 for token in answer.tokens)


def test_a_folder_without_tokenizer_has_that_of_llama_3(tmp_path):
    pytest.importorskip("tiktoken", reason="no tiktoken: pip install 'worldline[tokens]'")
    shape = {
        **SHAPE,
        "vocab_size": 128_256,
        "hidden_size": 8,
        "num_hidden_layers": 1,
        "bos_token_id": 128_000,
    }
    config = transformers.CwmConfig(**{**shape, "rope_parameters": ROPE, "eos_token_id": None})
    save_network(tmp_path, transformers.CwmForCausalLM, config)
    loaded, llama3 = model(f"hf:{tmp_path}"), tokenizer("llama3")
    text = '<|line_sep|>{"word": "\'strawberry\'"}<|action_sep|>    return 12345\n<|frame_sep|>'
    assert loaded.can.special_tokens
    assert loaded.count(text) == llama3.count(text)
    choices = ("    return n\n", "    é中\n")
    (answer,) = loaded.complete([Ask(text, ("<|frame_sep|>",), choices=choices)])
    assert answer.text in choices
    assert "".join(token.text for token in answer.tokens).startswith("    ")
    (begun,) = loaded.complete([Ask("", max_tokens=4)])
    assert (begun.asked, begun.spent) == (1, 4)
