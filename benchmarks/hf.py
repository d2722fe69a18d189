"""How fast our decoding is, against the model's own `generate`: `python benchmarks/hf.py` (worldline[hf]).

Both decode greedily, the same prompts at the same batch size, with random weights made here; neither stops
early. Ratios within one run, the best of several rounds each. The second table is a step-wise rollout: every
request goes on from the answer before it, with and without the store of prefixes. The third is whole rollouts
of permutation programs, all in one batch, by a smaller model that has learnt their traces by heart (so that
what it writes can be read): tokens written a second, against `generate` writing the same traces.
"""

import argparse
import platform
import tempfile
import time
from pathlib import Path

import torch
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.prediction import of_trace
from worldline.formats.cwm_prompt import plain_prompt
from worldline.formats.cwm_tokens import END_OF_TEXT
from worldline.models.hf import HfModel, Options
from worldline.models.model import Ask
from worldline.models.oracle import oracle
from worldline.record import Options as Recording
from worldline.record import record
from worldline.rollout.options import RolloutOptions
from worldline.rollout.rollout import predict_all
from worldline.tokens import SPECIAL
from worldline.trace.model import Entry, Program

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


def permutations(count: int, length: int) -> list[Program]:
    """Programs that differ in what they permute."""
    made = []
    for at in range(count):
        lines = [
            "def main(): # << START_OF_TRACE",
            f"    a, b, c = {at}, {at + 1}, {at * 3 % 10}",
            *(
                ("    a, b, c = b, c, a", "    a, b = b, a", "    b, c = c, b")[(at * n + n) % 3]
                for n in range(length)
            ),
            "    return a, b, c",
        ]
        made.append(Program("\n".join(lines) + "\n", Entry("function", "main")))
    return made


def taught(folder: Path, programs: list[Program], hidden: int, layers: int) -> None:
    """A model that has learnt the traces of the programs by heart."""
    made(folder, hidden, layers)
    words = transformers.AutoTokenizer.from_pretrained(folder)
    network = transformers.CwmForCausalLM.from_pretrained(folder)
    truths = oracle().complete(
        [Ask(plain_prompt(program, "dense"), max_tokens=10**6) for program in programs]
    )
    prompts = [
        words(plain_prompt(program, "dense"), add_special_tokens=False)["input_ids"] for program in programs
    ]
    answers = [words(truth.text + END_OF_TEXT, add_special_tokens=False)["input_ids"] for truth in truths]
    longest = max(len(prompt) + len(answer) for prompt, answer in zip(prompts, answers, strict=True))
    ids, labels = [], []
    for prompt, answer in zip(prompts, answers, strict=True):
        rest = longest - len(prompt) - len(answer)
        ids.append(prompt + answer + [0] * rest)
        labels.append([-100] * len(prompt) + answer + [-100] * rest)
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3)
    started, loss, iteration = time.perf_counter(), 1.0, 0
    while loss >= 1e-3 and iteration < 1000:
        iteration += 1
        found = network(input_ids=torch.tensor(ids), labels=torch.tensor(labels)).loss
        loss = found.item()
        optimizer.zero_grad()
        found.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
    seconds = time.perf_counter() - started
    print(f"learnt {len(programs)} traces in {iteration} iterations, {seconds:.0f} s, loss {loss:.4f}")
    network.save_pretrained(folder)


MODES = {
    "whole trace": RolloutOptions(max_tokens=10**6),
    "frame by frame": RolloutOptions(stop_below=1e-9, max_tokens=10**6),
    "forced actions": RolloutOptions(actions="forced", max_tokens=10**6),
    "grounded actions": RolloutOptions(actions="grounded", max_tokens=10**6),
    "both forced": RolloutOptions(actions="forced", states=2, max_tokens=10**6),
}


def rollouts(folder: Path, programs: list[Program], rounds: int) -> None:
    """The third table."""
    model = HfModel(Options(str(folder), batch=len(programs), cache=0))
    truths = [record(program, Recording(max_value=None)).trace for program in programs]
    prompts = [plain_prompt(program, "dense") for program in programs]
    tokens = max(answer.spent for answer in model.complete([Ask(text, max_tokens=10**4) for text in prompts]))
    total = sum(answer.spent for answer in model.complete([Ask(text, max_tokens=10**4) for text in prompts]))
    seconds: dict[str, list[float]] = {"generate": [], **{name: [] for name in MODES}}
    found = {}
    for _ in range(rounds):  # all of them in turn, so that a busy machine is busy for each
        seconds["generate"].append(raw(model, prompts, tokens))
        for name, mode in MODES.items():
            asked = HfModel(Options(str(folder), batch=len(programs), cache=1024))
            started = time.perf_counter()
            found[name] = predict_all(programs, asked, mode, truths)
            seconds[name].append(time.perf_counter() - started)
    rate = total / min(seconds["generate"])
    print(f"rollout of {len(programs)} programs   right  asks  tok/s  of generate's {rate:.0f}")
    for name, rollouts_ in found.items():
        pairs = zip(rollouts_, truths, strict=True)
        right = sum(first_divergence(truth, of_trace(each.trace)) is None for each, truth in pairs)
        spent = sum(each.cost.spent for each in rollouts_)
        asks = sum(each.cost.asks for each in rollouts_)
        ours = spent / min(seconds[name])
        print(f"{name:24} {right:6} {asks:5} {ours:6.0f}  {ours / rate:.2f}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--hidden", type=int, default=256)
    options.add_argument("--layers", type=int, default=4)
    options.add_argument("--tokens", type=int, default=64)
    options.add_argument("--prompt", type=int, default=128)
    options.add_argument("--learnt", type=Path, help="folder where the learnt model is kept")
    options.add_argument("--programs", type=int, default=8)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--threads", type=int, default=1)
    chosen = options.parse_args()
    torch.set_num_threads(chosen.threads)
    transformers.utils.logging.disable_progress_bar()
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
    with tempfile.TemporaryDirectory() as folder:
        programs = permutations(chosen.programs, 3)
        kept = chosen.learnt or Path(folder)
        if not (kept / "config.json").exists():
            taught(kept, programs, chosen.hidden // 2, chosen.layers)
        rollouts(kept, programs, chosen.rounds)


if __name__ == "__main__":
    main()
