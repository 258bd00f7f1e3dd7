"""What a database consists of, in which order, and what it costs."""

from __future__ import annotations

import pytest

from crownbase import BuildError, UnknownRulesError
from crownbase.build.plan import default_metrics, make_plan
from crownbase.index import Material

# Positions of English slices with both sides on the board, one side to move (Schaeffer's table).
ENGLISH_POSITIONS = {2: 3_488, 3: 196_032, 4: 6_209_316, 5: 139_450_808, 6: 2_426_085_676}


@pytest.mark.parametrize("pieces", ENGLISH_POSITIONS)
def test_positions_of_english(pieces: int) -> None:
    plan = make_plan("english", pieces, ("wdl",))
    assert plan.positions == sum(n for count, n in ENGLISH_POSITIONS.items() if count <= pieces)


def test_what_a_pair_needs_comes_before_it() -> None:
    seen: set[Material] = set()
    for pair in make_plan("english", 6, ("wdl",)).pairs:
        assert set(pair.needs) <= seen
        seen.add(pair.material)


def test_needs_of_a_slice() -> None:
    (pair,) = [
        pair for pair in make_plan("english", 4, ("wdl",)).pairs if str(pair.material) == "KMvK"
    ]
    assert set(map(str, pair.needs)) == {"KvK", "KvM", "KKvK"}


@pytest.mark.parametrize(
    ("metrics", "runs"),
    [
        (("wdl",), {("dtc", ("wdl",))}),
        (("dtc",), {("dtc", ("dtc",))}),
        (("dtw", "wdl", "dtc"), {("dtc", ("wdl", "dtc")), ("dtw", ("dtw",))}),
        # The category under the draw clock needs distances to conversion.
        (("wdl", "dtw"), {("dtc", ("wdl",)), ("dtw", ("dtw",))}),
    ],
)
def test_win_draw_loss_comes_with_a_distance(
    metrics: tuple[str, ...], runs: set[tuple[str, tuple[str, ...]]]
) -> None:
    plan = make_plan("english", 2, metrics)
    assert plan.metrics == tuple(name for name in ("wdl", "dtc", "dtw") if name in metrics)
    assert {(job.metric, job.outputs) for job in plan.jobs()} == runs


def test_more_pieces_cost_more() -> None:
    guesses = [make_plan("english", n, ("wdl", "dtc")).estimate(2) for n in range(2, 9)]
    for less, more in zip(guesses, guesses[1:], strict=False):
        assert less.positions < more.positions
        assert less.memory_bytes < more.memory_bytes
        assert less.disk_bytes < more.disk_bytes
        assert less.seconds < more.seconds
    assert all(guess.least_memory_bytes <= guess.memory_bytes for guess in guesses)


@pytest.mark.parametrize("pieces", [-1, 0, 1, 13, 99])
def test_too_few_or_too_many_pieces(pieces: int) -> None:
    with pytest.raises(BuildError, match="2 to 12"):
        make_plan("english", pieces, ("wdl",))


def test_bad_metrics_and_rules() -> None:
    with pytest.raises(BuildError, match="dtz"):
        make_plan("english", 2, ("wdl", "dtz"))
    with pytest.raises(BuildError, match="no metric"):
        make_plan("english", 2, ())
    with pytest.raises(UnknownRulesError, match="chess"):
        make_plan("chess", 2, ("wdl",))


def test_default_metrics():
    assert default_metrics(4) == ("wdl", "dtc", "dtw")
    assert default_metrics(5) == ("wdl", "dtc")
    assert default_metrics(4, clock=False) == default_metrics(9, clock=False) == ("wdl",)
