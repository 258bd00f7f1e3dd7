"""Make a database: plan the slices, solve and write them, go on after any stop, verify.

``crownbase.build`` is this package and, called, its main function: ``crownbase.build("db")`` is
``crownbase.build.build("db")``.
"""

from __future__ import annotations

from crownbase._callable import make_callable
from crownbase.build.local import build, default_jobs
from crownbase.build.plan import Estimate, Job, Plan, PlannedPair, default_metrics, make_plan
from crownbase.build.report import (
    BuildReport,
    Progress,
    ProgressCallback,
    SliceReport,
    VerifiedSlice,
    VerifyReport,
)
from crownbase.build.stats import SliceStats, has_any_table, read_stats
from crownbase.build.verification import verify
from crownbase.build.warm import WarmStep, warm_up

__all__ = [
    "BuildReport",
    "Estimate",
    "Job",
    "Plan",
    "PlannedPair",
    "Progress",
    "ProgressCallback",
    "SliceReport",
    "SliceStats",
    "VerifiedSlice",
    "VerifyReport",
    "WarmStep",
    "build",
    "default_jobs",
    "default_metrics",
    "has_any_table",
    "make_plan",
    "read_stats",
    "verify",
    "warm_up",
]


make_callable(__name__, build)
