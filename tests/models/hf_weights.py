"""This file is tiny weights for tests: models with a vocabulary of bytes and the trace tokens, in folders."""

import pytest

INSTALL = "pip install 'worldline[hf]'"
torch = pytest.importorskip("torch", reason=f"no torch: {INSTALL}")
transformers = pytest.importorskip("transformers", reason=f"no transformers: {INSTALL}")

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers  # noqa: E402

from worldline.models.hf import HfModel, Options  # noqa: E402
from worldline.tokens import SPECIAL  # noqa: E402

torch.set_num_threads(1)
transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()

SHAPE = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "initializer_range": 0.4,
    "max_position_embeddings": 512,
    "bos_token_id": 256,
    "eos_token_id": 257,
    "vocab_size": 266,
}
ROPE = {"rope_theta": 10_000.0, "rope_type": "default"}


def save_words(folder, special=SPECIAL):
    """A tokenizer of bytes."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = Tokenizer(models.BPE(vocab={letter: at for at, letter in enumerate(letters)}, merges=[]))
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    words.decoder = decoders.ByteLevel()
    words.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in special])
    transformers.PreTrainedTokenizerFast(tokenizer_object=words).save_pretrained(folder)


def cwm_config(**changes):
    """Four layers, three of them with a window of 16 tokens."""
    return transformers.CwmConfig(**{**SHAPE, "sliding_window": 16, "rope_parameters": ROPE, **changes})


def save_network(folder, network_class, config, seed=0):
    torch.manual_seed(seed)
    network_class(config).save_pretrained(folder)


def save_cwm(folder):
    save_words(folder)
    save_network(folder, transformers.CwmForCausalLM, cwm_config())
    return folder


def save_llama(folder):
    save_words(folder)
    save_network(folder, transformers.LlamaForCausalLM, transformers.LlamaConfig(**SHAPE), seed=1)
    return folder


def save_gpt2(folder):
    """Its positions are counted from the beginning, so that padding must not be counted."""
    save_words(folder)
    shape = {"vocab_size": 266, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 512}
    config = transformers.GPT2Config(**shape, initializer_range=0.3, bos_token_id=256, eos_token_id=257)
    save_network(folder, transformers.GPT2LMHeadModel, config)
    return folder


def alone(folder):
    """Nothing together and nothing kept: what the others must equal."""
    return HfModel(Options(str(folder), batch=1, cache=0))


def learnt(folder, text):
    """A model that has learnt one text by heart: some seconds."""
    save_words(folder)
    words = transformers.AutoTokenizer.from_pretrained(folder)
    ids = torch.tensor([words(text, add_special_tokens=False)["input_ids"]])
    torch.manual_seed(0)
    config = cwm_config(hidden_size=64, intermediate_size=128, head_dim=16, initializer_range=0.05)
    network = transformers.CwmForCausalLM(config)
    optimizer = torch.optim.AdamW(network.parameters(), lr=5e-3)
    for _ in range(400):
        loss = network(input_ids=ids, labels=ids).loss
        if loss.item() < 0.01:
            break
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    network.save_pretrained(folder)
    return folder
