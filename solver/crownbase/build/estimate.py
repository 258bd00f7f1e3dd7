"""What a build will cost, by whichever way it will go."""

from __future__ import annotations

from dataclasses import replace

from crownbase.build import engine
from crownbase.build.plan import Estimate, Plan
from crownbase.build.row_memory import RowMemory

ROW_SOLVE_SECONDS, ROW_WRITE_SECONDS = 0.005, 0.012
"""CPU seconds for a million positions of wdl alone: to solve; to pack, compress and write."""


def estimate(plan: Plan, jobs: int, solver: str = "auto") -> Estimate:
    """Memory, disk and time with *jobs* threads, before anything is done."""
    guess = plan.estimate(jobs)
    if not engine.wdl_by_rows(plan, solver):
        return guess
    memory = RowMemory(plan, jobs)
    materials = [pair.material for pair in plan.pairs]
    return replace(
        guess,
        memory_bytes=memory.in_memory(materials),
        least_memory_bytes=max(map(memory.least, materials)),
        seconds=plan.positions * (ROW_SOLVE_SECONDS + ROW_WRITE_SECONDS) / 1e6 / jobs + 1.0,
    )
