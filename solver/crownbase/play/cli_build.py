"""Sub-commands about whole databases: ``build``, ``verify``, ``stats``, ``warmup``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crownbase.play import cli_common as common
from crownbase.play.cli_common import DirectoriesOption, JobsOption, JsonOption, RulesArgument
from crownbase.play.completion import complete_metrics, complete_rules, complete_solver

if TYPE_CHECKING:
    from crownbase.build import BuildReport, Plan, SliceStats, VerifyReport
    from crownbase.rules import Rules


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(build)
    app.command()(verify)
    app.command()(stats)
    app.command()(warmup)


def build(
    rules: RulesArgument,
    pieces: Annotated[
        int, typer.Argument(metavar="PIECES", help="Most pieces on the board, of both sides.")
    ],
    metric: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="What to build, of wdl, dtc, dtw. Default: all up to 4 pieces, else wdl,dtc.",
            autocompletion=complete_metrics,
        ),
    ] = None,
    jobs: JobsOption = None,
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Most memory to use, such as 8G.")
    ] = None,
    solver: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="auto, row or scalar; the tables are the same.",
            autocompletion=complete_solver,
        ),
    ] = "auto",
    max_side: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Most pieces of one side.")
    ] = None,
    clock: Annotated[
        bool,
        typer.Option(
            "--clock/--no-clock",
            help="Whether the draw clock counts; without it, wdl alone, and much faster.",
        ),
    ] = True,
    level: Annotated[int | None, typer.Option(metavar="N", help="Zstd level, 1 to 22.")] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Say what it would take, and build nothing.")
    ] = False,
    db: DirectoriesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Build all tables of RULES with up to PIECES pieces.

    Writes to the first of --db, CROWNBASE_DB and the user's data folder. Files that are there and
    check out are kept, so the same command goes on after an interruption.
    """
    from crownbase.build import build as run_build
    from crownbase.build import default_metrics, make_plan
    from crownbase.play.cli_progress import ProgressDisplay

    found = common.rules_named(rules)
    metrics = default_metrics(pieces, clock) if metric is None else common.parse_metrics(metric)
    limit = None if memory is None else common.parse_bytes(memory)
    directory = common.build_directory(db)
    if estimate:
        plan = make_plan(found, pieces, metrics, max_side, clock)
        _show_estimate(plan, jobs, solver, as_json)
        return
    try:
        with ProgressDisplay("building") as display:
            report = run_build(
                directory,
                rules=found,
                pieces=pieces,
                metrics=metrics,
                jobs=jobs,
                memory=limit,
                solver=solver,
                progress=display.update,
                max_side=max_side,
                clock=clock,
                level=level,
            )
    except KeyboardInterrupt:
        common.say("finished tables are kept; the same command goes on from here")
        raise
    if as_json:
        common.write_json(report.to_json())
    else:
        typer.echo(_build_summary(report, str(directory)))


def _build_summary(report: BuildReport, directory: str) -> str:
    made = [piece for piece in report.slices if piece.engine != "kept"]
    rate = sum(piece.positions for piece in made) / max(report.cpu_seconds, 1e-9)
    compiling = common.format_seconds(report.compile_seconds)
    lines = [
        f"{report.rules}: {len(report.slices)} slice pairs, {report.positions:,} positions, "
        f"{common.format_bytes(report.bytes)} in {directory}",
        f"{len(made)} built, {len(report.slices) - len(made)} kept, "
        f"{common.format_seconds(report.seconds)}, "
        f"{common.format_seconds(report.cpu_seconds)} of CPU"
        + (f", {rate:,.0f} positions per CPU second" if made else "")
        + (f"; {compiling} of compiling beside it" if report.compile_seconds >= 0.1 else ""),
    ]
    return "\n".join(lines)


def _show_estimate(plan: Plan, jobs: int | None, solver: str, as_json: bool) -> None:
    from crownbase.build import default_jobs
    from crownbase.build.estimate import estimate

    threads = jobs or default_jobs()
    guess = estimate(plan, threads, solver)
    if as_json:
        common.write_json(
            {
                "rules": plan.rules.key,
                "pieces": plan.pieces,
                "metrics": list(plan.metrics),
                "slices": len(plan.pairs),
                "positions": guess.positions,
                "memory_bytes": guess.memory_bytes,
                "least_memory_bytes": guess.least_memory_bytes,
                "disk_bytes": guess.disk_bytes,
                "seconds": round(guess.seconds, 1),
                "jobs": threads,
            }
        )
        return
    typer.echo(
        f"{plan.rules.key}, 2 to {plan.pieces} pieces, {', '.join(plan.metrics)}: "
        f"{len(plan.pairs)} slice pairs\n"
        f"positions  {guess.positions:,}\n"
        f"memory     {common.format_bytes(guess.memory_bytes)}, "
        f"at least {common.format_bytes(guess.least_memory_bytes)}\n"
        f"disk       {common.format_bytes(guess.disk_bytes)}\n"
        f"time       about {common.format_seconds(guess.seconds)} with {threads} threads"
    )


def verify(
    rules: RulesArgument,
    fast: Annotated[bool, typer.Option("--fast", help="Compare checksums only.")] = False,
    jobs: JobsOption = None,
    db: DirectoriesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check every value of the tables of RULES.

    Each is compared with its successors by forward moves. Checks the first of the directories
    that has tables of RULES; exit code 2 if there is a fault.
    """
    from crownbase.build import verify as run_verify
    from crownbase.play.cli_progress import ProgressDisplay

    found = common.rules_named(rules)
    directory = _directory_with_tables(found, db)
    with ProgressDisplay("verifying") as display:
        report = run_verify(directory, rules=found, fast=fast, jobs=jobs, progress=display.update)
    if as_json:
        common.write_json(report.to_json())
    else:
        typer.echo(_verify_summary(report, str(directory)))
    if not report.ok:
        for fault in report.faults:
            common.say(f"error: {fault}")
        raise typer.Exit(2)


def _verify_summary(report: VerifyReport, directory: str) -> str:
    how = "checksums compared" if report.fast else "every value derived again"
    bad = sum(bool(piece.faults) for piece in report.slices)
    result = "all good" if report.ok else f"{bad} with faults"
    return (
        f"{report.rules}: {len(report.slices)} slices, {report.positions:,} values in {directory}: "
        f"{result} ({how}, {common.format_seconds(report.seconds)})"
    )


def _directory_with_tables(rules: Rules, given: list[str] | None) -> Any:
    """The first directory of the search path that has tables of *rules*."""
    from crownbase.build import has_any_table
    from crownbase.errors import MissingTableError
    from crownbase.probe.advice import build_command

    rules.check_has_tables()
    searched = common.search_directories(given)
    for directory in searched:
        if has_any_table(directory, rules):
            return directory
    raise MissingTableError(
        f"no {rules.key} tables in {', '.join(map(str, searched))}; run: {build_command(rules, 4)}"
    )


def stats(rules: RulesArgument, db: DirectoriesOption = None, as_json: JsonOption = False) -> None:
    """Show counts and longest wins of every slice.

    They come from the manifest. Counts are those of the side to move, which stands on the left
    of the name.
    """
    from crownbase.build import read_stats

    found = common.rules_named(rules)
    slices = read_stats(_directory_with_tables(found, db), found)
    if as_json:
        common.write_json([piece.to_json() for piece in slices])
        return
    typer.echo(_stats_table(slices))


def _stats_table(slices: list[SliceStats]) -> str:
    """Counts and longest wins; the columns of the draw clock only if it spoils anything."""
    from crownbase.play.render import table

    counts = ["positions", "wins", "losses", "draws"]
    if any(piece.cursed_wins or piece.blessed_losses for piece in slices):
        counts += ["cursed_wins", "blessed_losses"]
    header = (
        "slice",
        *(name.replace("_", " ") for name in counts),
        "max dtc",
        "max dtw",
        "longest win",
    )

    def row(piece: SliceStats) -> tuple[str, ...]:
        numbers = (f"{getattr(piece, name):,}" for name in counts)
        longest = ("" if n is None else str(n) for n in (piece.max_dtc, piece.max_dtw))
        return (piece.material, *numbers, *longest, piece.max_dtw_fen or "")

    return table(header, map(row, slices), left=(0, len(header) - 1))


def warmup(
    rules: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RULES]...",
            help="Rule sets; English if none.",
            autocompletion=complete_rules,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compile what the other commands need, once on a machine for each rule set."""
    from crownbase.build import warm_up
    from crownbase.compiling import listening
    from crownbase.play.cli_progress import WarmupDisplay

    done = []
    for name in rules or ["english"]:
        found = common.rules_named(name)
        start = time.perf_counter()
        with WarmupDisplay(found.key) as display, listening(display.heard):
            warm_up(found, display.update)
        seconds = time.perf_counter() - start
        done.append({"rules": found.key, "seconds": round(seconds, 3)})
        if not as_json:
            typer.echo(f"{found.key}: ready after {common.format_seconds(seconds)}")
    if as_json:
        common.write_json(done)
