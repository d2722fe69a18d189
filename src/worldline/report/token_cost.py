"""This file is what a trace costs a model: tokens by format, tokenizer and part, and how strings fragment."""

import ast
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from worldline.errors import UserError
from worldline.formats import format
from worldline.tokens import tokenizer
from worldline.tokens.cost import Cost, cost
from worldline.tokens.fragments import edit_effect, fragments
from worldline.trace.model import Trace
from worldline.trace.value import type_of


@dataclass(frozen=True, slots=True)
class TraceCost:
    """What one trace costs in one format, read by one tokenizer."""

    format: str
    tokenizer: str
    vocabulary: str  # hash of the vocabulary, so that the number can be had again
    steps: int
    prompt: int  # tokens of what a model is given first
    cost: Cost

    @property
    def per_step(self) -> float:
        """Tokens a step."""
        return self.cost.total / max(self.steps, 1)


@dataclass(frozen=True, slots=True)
class StringCost:
    """How one string value falls into tokens, and what one edited character does to them."""

    text: str
    tokenizer: str
    characters: int
    tokens: int
    shown: str  # the tokens with bars between them
    worst_lost: int  # tokens of the string that the worst single edit replaces
    mean_lost: float


def trace_costs(trace: Trace, formats: Sequence[str], tokenizers: Sequence[str]) -> list[TraceCost]:
    """The cost in every format by every tokenizer."""
    found = []
    for form_name in formats:
        form = format(form_name)
        parts = list(form.parts(trace))
        prompt = form.prompt(trace.program)
        for name in tokenizers:
            reader = tokenizer(name)
            counted = cost(reader, parts)
            size = reader.count(prompt)
            found.append(TraceCost(form_name, name, reader.vocabulary, len(trace.steps), size, counted))
    return found


def string_costs(trace: Trace, tokenizers: Sequence[str], most: int = 12) -> list[StringCost]:
    """The longest different strings of a trace, each by every tokenizer."""
    texts = dict.fromkeys(
        text for step in trace.steps for text in step.locals.values() if type_of(text) == "str"
    )
    strings = sorted({_string(text) for text in texts} - {""}, key=lambda text: (-len(text), text))[:most]
    found = []
    for name in tokenizers:
        reader = tokenizer(name)
        for text in strings:
            whole, effect = fragments(reader, text), edit_effect(reader, text)
            worst = effect.worst.lost if effect.worst else 0
            found.append(
                StringCost(text, name, whole.characters, whole.tokens, whole.shown, worst, effect.mean_lost)
            )
    return found


def _string(text: str) -> str:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return ""
    return value if isinstance(value, str) else ""


def cost_object(entry: TraceCost) -> dict[str, Any]:
    """A cost as a JSON object."""
    record = asdict(entry)
    counted = record.pop("cost")
    return record | {
        "tokens": counted["total"],
        "per_step": round(entry.per_step, 2),
        "parts": counted["by_kind"],
    }


def print_costs(console: Console, costs: Sequence[TraceCost]) -> None:
    """Two tables: the totals side by side, and where the tokens go."""
    if not costs:
        raise UserError(
            "no format or tokenizer was asked for", "leave --format and --tokenizer out to see all"
        )
    totals = Table(title="tokens of the trace", title_justify="left", box=None, padding=(0, 2))
    for column in ("format", "tokenizer", "tokens", "a step", "against the first format", "prompt"):
        totals.add_column(column, justify="left" if column in ("format", "tokenizer") else "right")
    first = {entry.tokenizer: entry.cost.total for entry in reversed(costs)}
    for entry in costs:
        ratio = first[entry.tokenizer] / max(entry.cost.total, 1)
        shown = "" if entry.format == costs[0].format else f"{ratio:.1f}x fewer"
        totals.add_row(
            entry.format,
            entry.tokenizer,
            f"{entry.cost.total:,}",
            f"{entry.per_step:.1f}",
            shown,
            f"{entry.prompt:,}",
        )
    console.print(totals)
    parts = Table(title="where they go", title_justify="left", box=None, padding=(0, 2))
    parts.add_column("part")
    for entry in costs:
        parts.add_column(f"{entry.format}\n{entry.tokenizer}", justify="right")
    for kind in dict.fromkeys(kind for entry in costs for kind in entry.cost.by_kind):
        cells = [entry.cost.by_kind.get(kind, 0) for entry in costs]
        parts.add_row(kind, *(f"{cell:,}" if cell else "" for cell in cells))
    console.print(parts)


def print_strings(console: Console, strings: Sequence[StringCost]) -> None:
    """How strings fragment."""
    table = Table(title="strings: characters against tokens", title_justify="left", box=None, padding=(0, 1))
    for column in ("tokenizer", "characters", "tokens", "one edit replaces", "tokens of the string"):
        table.add_column(column, justify="right" if column in ("characters", "tokens") else "left")
    for entry in strings:
        lost = f"{entry.mean_lost:.1f} on average, {entry.worst_lost} at worst"
        shown = entry.shown if len(entry.shown) <= 100 else entry.shown[:99] + "…"
        table.add_row(entry.tokenizer, str(entry.characters), str(entry.tokens), lost, repr(shown)[1:-1])
    console.print(table)
