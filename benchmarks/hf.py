"""How fast our decoding is, against the model's own `generate`: `python benchmarks/hf.py` (worldline[hf]).

Both decode greedily, the same prompts at the same batch size, with random weights made here; neither stops
early. Ratios within one run, the best of several rounds each. The second table is a step-wise rollout: every
request goes on from the answer before it, with and without the store of prefixes.
"""

import argparse
import platform
import tempfile
import time
from pathlib import Path

import torch
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from worldline.models.hf import HfModel, Options
from worldline.models.model import Ask
from worldline.tokens import SPECIAL

ALPHABET = "abcdefghij (){}:=\n"


def made(folder: Path, hidden: int, layers: int) -> None:
    """A model of the kind `cwm` that never ends a text, with a vocabulary of bytes."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = Tokenizer(models.BPE(vocab={letter: at for at, letter in enumerate(letters)}, merges=[]))
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    words.decoder = decoders.ByteLevel()
    words.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in SPECIAL])
    transformers.PreTrainedTokenizerFast(tokenizer_object=words).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.CwmConfig(
        vocab_size=266,
        hidden_size=hidden,
        intermediate_size=3 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=hidden // 32,
        num_key_value_heads=max(1, hidden // 128),
        head_dim=32,
        max_position_embeddings=16384,
        bos_token_id=256,
        eos_token_id=257,
        sliding_window=256,
    )
    network = transformers.CwmForCausalLM(config)
    with torch.no_grad():
        network.lm_head.weight[256:] = 0  # special tokens are never the likeliest
    network.save_pretrained(folder)


def prompts(count: int, length: int, *, is_ragged: bool) -> list[str]:
    sizes = [length - (at * 7 % (length // 2) if is_ragged else 0) for at in range(count)]
    return [
        "".join(ALPHABET[(at * 31 + n * n) % len(ALPHABET)] for n in range(size))
        for at, size in enumerate(sizes)
    ]


def raw(model: HfModel, texts: list[str], tokens: int) -> float:
    """Seconds of `generate` on the same prompts, padded on the left."""
    ids = [model._loaded.vocabulary.encode(text) for text in texts]
    longest = max(map(len, ids))
    padded = torch.tensor([[0] * (longest - len(row)) + row for row in ids])
    mask = torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in ids])
    started = time.perf_counter()
    model._loaded.network.generate(
        padded, attention_mask=mask, max_new_tokens=tokens, do_sample=False, pad_token_id=0
    )
    return time.perf_counter() - started


def ours(model: HfModel, texts: list[str], tokens: int) -> float:
    asks = [Ask(text, stops=("<|frame_sep|>",), max_tokens=tokens) for text in texts]
    started = time.perf_counter()
    answers = model.complete(asks)
    seconds = time.perf_counter() - started
    assert all(answer.spent == tokens for answer in answers), answers
    return seconds


def stepwise(model: HfModel, texts: list[str], tokens: int, steps: int) -> tuple[float, float]:
    """Seconds of a rollout, and the part of its prompt tokens that were reused."""
    before, started = model.usage, time.perf_counter()
    for _ in range(steps):
        answers = model.complete([Ask(text, max_tokens=tokens) for text in texts])
        texts = [text + answer.text + "<|frame_sep|>" for text, answer in zip(texts, answers, strict=True)]
    after = model.usage
    return time.perf_counter() - started, (after.reused - before.reused) / (after.prompt - before.prompt)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--hidden", type=int, default=256)
    options.add_argument("--layers", type=int, default=4)
    options.add_argument("--tokens", type=int, default=64)
    options.add_argument("--prompt", type=int, default=128)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--threads", type=int, default=1)
    chosen = options.parse_args()
    torch.set_num_threads(chosen.threads)
    print(f"torch {torch.__version__}, transformers {transformers.__version__}, {platform.machine()}")
    with tempfile.TemporaryDirectory() as folder:
        made(Path(folder), chosen.hidden, chosen.layers)
        print("batch  prompts  generate tok/s  ours tok/s  ratio")
        for batch in (1, 4, 16):
            for is_ragged in (False, True):
                model = HfModel(Options(folder, batch=batch, cache=0))
                texts = prompts(batch, chosen.prompt, is_ragged=is_ragged)
                rounds = [
                    (raw(model, texts, chosen.tokens), ours(model, texts, chosen.tokens))
                    for _ in range(chosen.rounds)
                ]
                best = [min(seconds) for seconds in zip(*rounds, strict=True)]
                rates = [batch * chosen.tokens / seconds for seconds in best]
                kind = "ragged" if is_ragged else "equal"
                print(f"{batch:5}  {kind:7}  {rates[0]:14.0f}  {rates[1]:10.0f}  {rates[1] / rates[0]:5.2f}")
        texts = prompts(8, chosen.prompt, is_ragged=True)
        print("store  seconds  reused   (8 rollouts of 16 steps of 24 tokens)")
        for cache in (0, 512):
            seconds, reused = stepwise(HfModel(Options(folder, batch=8, cache=cache)), texts, 24, 16)
            print(f"{cache:4}M  {seconds:7.2f}  {reused:6.1%}")


if __name__ == "__main__":
    main()
