"""This file is a script: runs programs under the reference recorder and says which transition is illegal.

A line of JSON comes in for each, `{"id", "source", "call"}`; `{"id", "steps", "illegal", "lines"}` goes out.
The last of these is the mean number of lines that were legal next.
"""

import json
import sys

from settrace_reference import watch

from worldline.flow.position import Illegal, advance, start
from worldline.flow.successors import flow


def check(source, call):
    here = start(flow(source))
    events = watch(source, call)
    offered = []
    for seen in events:
        if here.top is not None:
            offered.append(len(here.top.state.moves.line))
        moved = advance(here, seen.event, seen.line, seen.function)
        if isinstance(moved, Illegal):
            return {"steps": len(events), "illegal": f"{seen}: {moved.reason}", "lines": 0}
        here = moved
    return {"steps": len(events), "illegal": None, "lines": sum(offered) / len(offered)}


def main():
    for row in map(json.loads, sys.stdin):
        found = check(row["source"], row["call"])
        sys.__stdout__.write(json.dumps({"id": row["id"], **found}) + "\n")


if __name__ == "__main__":
    main()
