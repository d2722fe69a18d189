"""This folder is what errors of a world model cost: the real interpreter, made wrong in known ways.

`degrade` runs programs with errors of a kind at a rate, `curves` counts what became of their answers and of
the ranking of candidate programs by them. Everything else stays as it is.
"""

from worldline.bench.degrade.curves import Curve, curves
from worldline.bench.degrade.degrading import BUDGETS, RATES, degrade
from worldline.bench.degrade.model import KINDS, Degraded, Task
from worldline.bench.degrade.tasks import TASKS

__all__ = ["BUDGETS", "KINDS", "RATES", "TASKS", "Curve", "Degraded", "Task", "curves", "degrade"]
