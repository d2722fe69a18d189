"""This file is the model that has spoken already: recorded outputs, by program.

`replay:outputs.jsonl` takes rows with `program` and `output`, as `worldline diagnose transcripts` does. It
can be asked for a whole trace only, and answers a program that it has no output for with a failure.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from worldline.errors import UserError
from worldline.formats.cwm_prompt import asked
from worldline.models.model import Ask, Can, Completion, Failed
from worldline.tokens import Tokenizer, tokenizer


def replay(argument: str) -> "Replay":
    """The outputs in a file."""
    path = Path(argument)
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
        rows = [json.loads(line) for line in lines if line.strip()]
        outputs = {_key(row["program"]): row["output"] for row in rows}
    except FileNotFoundError:
        raise UserError(f"there is no file {argument!r}", "write it like replay:outputs.jsonl") from None
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise UserError(f"{path} is no file of outputs: {error}", "give rows with program, output") from None
    return Replay(path.name, outputs, tokenizer("bytes"))


@dataclass(frozen=True)
class Replay:
    """Answers with what was recorded."""

    file: str
    outputs: dict[str, str]
    tokens: Tokenizer
    can = Can(special_tokens=False)

    @property
    def name(self) -> str:
        """With the file it is from."""
        return f"replay:{self.file}"

    def complete(self, asks: Sequence[Ask]) -> list[Completion | Failed]:
        """The output for each prompt."""
        return [self._output(ask) for ask in asks]

    def score(self, asks: Sequence[Ask]) -> list[tuple[float, ...] | Failed]:
        """It cannot."""
        return [Failed(f"{self.name} scores nothing", "use --actions free") for _ in asks]

    def count(self, text: str) -> int:
        """Tokens of a text."""
        return self.tokens.count(text)

    def _output(self, ask: Ask) -> Completion | Failed:
        output = self.outputs.get(_key(asked(ask.prefix).source))
        if output is None:
            return Failed(f"{self.name} has no output for this program", "ask for one of its own programs")
        return Completion(output, "end", "", (), self.count(ask.prefix), self.count(output))


def _key(source: str) -> str:
    return source.strip()
