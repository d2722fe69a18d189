"""This folder is the box: one command, run apart from the judge, at a named isolation level and under limits.

`choose("strict")` names the level to use, or refuses; `run(job, limits, level)` runs a job and says how it
ended.
"""

from worldline.record.box.job import LEVELS, Job, Limits, Outcome, Verdict
from worldline.record.box.judge import run
from worldline.record.box.trial import Probe, choose, interpreter, probe

__all__ = ["LEVELS", "Job", "Limits", "Outcome", "Probe", "Verdict", "choose", "interpreter", "probe", "run"]
