"""This file is the model card: what the weights of a folder are, and the command that gives them again."""

import json
from collections.abc import Mapping
from typing import Any

from worldline.learn.training.checkpoints import State

_CARD = """---
library_name: worldline
tags: [code-world-model]
---
# {name}

{parameters:,} parameters, {done} of {iterations} iterations{stage}.
Made by Worldline; the data is what the streams below give.

| file | what it is |
|---|---|
| `model.safetensors` | the weights at the end (once it is reached) |
| `best.safetensors` | the weights with the best {score} |
| `shape.json`, `training.json` | the network's shape; the whole setting |
| `log.jsonl`, `speed.jsonl` | every iteration; what the clock said |

## Scores
{scores}

## Data
{data}

## The command
```
{command}
```
with {versions}, seed {seed}, {processes} process(es) on {device}.

## Setting
```json
{setting}
```
"""


def card(
    name: str, state: State, setting: Mapping[str, Any], history: Mapping[str, Any], parameters: int
) -> str:
    """The model card as Markdown."""
    options = setting["options"]
    rows = [f"| {key} | {value:.6g} |" for key, value in state.scores.items()]
    if state.best is not None:
        rows.append(f"| best, after {state.best_at} iterations | {state.best[1]:.6g} |")
    if state.loss is not None:
        rows.append(f"| loss of the last iteration | {state.loss:.6g} |")
    data = [f"- `{each['name']}`, weight {each['weight']:g}: `{_code(each)}`" for each in setting["sources"]]
    stages = setting["stages"]
    return _CARD.format(
        name=name,
        parameters=parameters,
        done=state.iteration,
        iterations=options["iterations"],
        stage=f", stage {state.stage + 1} of {len(stages)}" if len(stages) > 1 else "",
        score=options["score"] or "score",
        scores="\n".join(["| score | value |", "|---|---|", *rows]) if rows else "None yet.",
        data="\n".join(data),
        command=history["command"] or "worldline.learn.training.trainer.train(config)",
        versions=", ".join(f"{name} {version}" for name, version in history["versions"].items()),
        seed=options["seed"],
        processes=history["processes"],
        device=history["device"],
        setting=json.dumps(setting, indent=1),
    )


def _code(source: Mapping[str, Any]) -> str:
    stream = source["stream"]
    return stream if isinstance(stream, str) else json.dumps(stream)
