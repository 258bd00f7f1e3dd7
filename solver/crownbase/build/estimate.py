"""What a build will cost, by whichever way it will go."""

from __future__ import annotations

from dataclasses import replace

from crownbase.build import engine
from crownbase.build.plan import Estimate, Job, Plan
from crownbase.build.row_memory import RowMemory


def estimate(plan: Plan, jobs: int, solver: str = "auto") -> Estimate:
    """Memory, disk and time with *jobs* threads, before anything is done."""

    def by_rows(job: Job) -> bool:
        return engine.choose_solver(solver, plan.rules, job.pair.material, job.metric) == "row"

    if not engine.wdl_by_rows(plan, solver):
        return plan.estimate(jobs, by_rows)
    memory = RowMemory(plan, jobs)
    materials = [pair.material for pair in plan.pairs]
    return replace(
        plan.estimate(jobs, lambda _: True),
        memory_bytes=memory.in_memory(materials),
        least_memory_bytes=max(map(memory.least, materials)),
    )
