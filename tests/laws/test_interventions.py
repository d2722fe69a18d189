"""A fault goes away with the interventions that forbid it, with no other, and the report says so."""

from random import Random

from recorded_programs import SOURCES, recorded
from worldline.diagnose.intervention import attribute_by_intervention
from worldline.models.faults import FAULTS
from worldline.models.faulty import faults_of, faulty
from worldline.models.oracle import oracle

CASES = 2000
SEED = 20261116
CURES = {
    "wrong-branch": ["forced action"],
    "invented-line": ["forced action", "grounded action"],
}
"""All other faults are of the state, and go away when that is given."""


def test_every_fault_is_attributed_to_what_forbids_it():
    dice = Random(SEED)
    names = list(FAULTS)
    left = CASES
    while left:
        name = names[left % len(names)]
        real = recorded(dice.choice(list(SOURCES)))
        model = faulty(f"{name}@{dice.randrange(len(real.steps))},seed={dice.randrange(10**6)}")
        faults = faults_of(model, real)
        if not faults:
            continue
        left -= 1
        (fault,) = faults.values()
        found = attribute_by_intervention(real.program, model, real, levels=())
        assert (found.divergence.frame, found.divergence.kind) == (fault.step, fault.kind), fault
        assert not found.is_luck
        assert found.cures == CURES.get(name, ["forced state"]), fault


def test_a_right_model_needs_no_cure():
    for name in SOURCES:
        found = attribute_by_intervention(recorded(name).program, oracle(), recorded(name))
        assert found.divergence is None
        assert found.cures == []
