"""What ``warm_up`` tells of its way."""

from __future__ import annotations

from itertools import pairwise

from crownbase.build import WarmStep, warm_up
from crownbase.build.warm import STEPS


def test_every_step_is_told_before_it_begins_and_the_end() -> None:
    told: list[WarmStep] = []
    warm_up("english", told.append)
    assert [step.what for step in told] == [*STEPS, ""]
    for one, other in pairwise(told):
        assert other.done == one.done + one.kernels
    assert told[-1].done == told[-1].total == sum(STEPS.values())
