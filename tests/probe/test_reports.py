"""Public fault reports about values and draw clocks, from data/reports.jsonl."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from crownbase.board import Position
from crownbase.build import read_stats
from crownbase.errors import MissingTableError
from crownbase.index import Material, slice_pairs
from crownbase.jit import INTERPRETED
from crownbase.play.cli import run
from crownbase.play.player import Player
from crownbase.probe import Tablebase, open_tablebase, shipped_directory
from crownbase.retro import count_values, solve_all
from crownbase.rules import RULE_SETS
from crownbase.table import SectionInput, SectionStats, write_table
from probe.databases import naive_values, write_database

LINES = (ROOT / "tests" / "data" / "reports.jsonl").read_text(encoding="utf-8").splitlines()
REPORTS: dict[str, Any] = {report["id"]: report["input"] for report in map(json.loads, LINES)}
ENGLISH = RULE_SETS["english"]
needs_compiler = pytest.mark.skipif(INTERPRETED, reason="solves slices")


@pytest.fixture(scope="module")
def shipped() -> Tablebase:
    tables = open_tablebase()
    if tables.max_pieces < 4:
        pytest.skip("no tables of four pieces here")
    return tables


def test_bug37_distance_and_counter_give_a_sure_answer(shipped: Tablebase) -> None:
    fen = REPORTS["bug37"]["fen"]
    result = shipped.probe(fen)
    assert (result.category, result.dtw) == ("win", 93)
    assert 0 < result.dtc < 80  # 93 plies are more than the limit, but only these count
    on_time = 80 - result.dtc
    assert shipped.probe(fen, clock=on_time).category == "win"
    assert shipped.probe(f"{fen}:H{on_time + 1}").category == "cursed-win"


def test_bug39_a_cursed_win_is_not_shown_as_a_win(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The ending of the report has eight pieces; any Italian win is cursed late enough."""
    rules = RULE_SETS[REPORTS["bug39"]["rules"]]
    values = naive_values(rules.key)
    write_database(tmp_path, rules, values, quiet_limit=rules.quiet_limit)
    boards = next(boards for boards, value in values.items() if value.wdl == 1 and value.dtc > 1)
    fen = Position.from_boards(rules, "W", boards).fen()
    late = f"{fen}:H{80 - values[boards].dtc + 1}"
    assert run(["probe", late, "--rules", rules.key, "--db", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "wins in" in out and "but is drawn under the draw clock" in out
    assert run(["probe", late, "--rules", rules.key, "--db", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["category"] == "cursed-win"


def test_bug41_a_king_each_is_not_always_drawn(english: Tablebase) -> None:
    fen = REPORTS["bug41"]["fen"]
    assert english.probe_dtw(fen) == 9
    assert english.probe_wdl(fen.replace("W:", "B:", 1)) == 0
    squares = range(1, 33)
    fens = [f"W:WK{a}:BK{b}" for a in squares for b in squares if a != b]
    assert len(fens) == 992 and (english.probe_many(fens) == 1).sum() == 230


def test_bug43_equal_forces_have_equal_values(shipped: Tablebase) -> None:
    white, black = REPORTS["bug43"]["fen"]
    assert shipped.probe(white) == shipped.probe(black)


def test_bug45_a_slice_that_is_its_own_mirror(shipped: Tablebase) -> None:
    stats = [one for one in read_stats(shipped_directory(), ENGLISH) if one.material == "KMvKM"]
    counted = {(one.wins, one.draws, one.losses, one.positions) for one in stats}
    assert counted == {(161_772, 485_306, 14_122, 661_200)}


def test_bug47_a_missing_smaller_table_is_named(tmp_path: Path) -> None:
    source = shipped_directory() / "english" / "KKvKM.wdl"
    if not source.is_file():
        pytest.skip("no tables of four pieces here")
    (tmp_path / source.name).write_bytes(source.read_bytes())
    with open_tablebase(tmp_path) as tables:
        with pytest.raises(MissingTableError, match=r"KKvK\.wdl, reached by a capture"):
            tables.probe("W:WK18,K32:B14,K1")


def test_bug49_the_only_winning_move(shipped: Tablebase) -> None:
    found = {str(info.move): info for info in shipped.moves(REPORTS["bug49"]["fen"])}
    outcomes = {move: info.outcome for move, info in found.items()}
    assert outcomes == {"6-1": "win", "6-2": "draw", "11-7": "loss", "11-8": "loss"}
    assert abs(found["6-1"].dtw or 0) + 1 == 93
    assert next(iter(found)) == "6-1"


# -- five pieces -------------------------------------------------------------------------------


def closure(name: str) -> tuple[Material, ...]:
    needed, todo = set(), [Material.parse(name).canonical]
    while todo:
        pair = todo.pop()
        if pair not in needed:
            needed.add(pair)
            todo += pair.dependencies()
    return tuple(pair for pair in slice_pairs(5) if pair in needed)


@pytest.fixture(scope="module")
def kings(tmp_path_factory: pytest.TempPathFactory) -> Tablebase:
    """English tables of three kings against two and what they lead to."""
    directory = tmp_path_factory.mktemp("kings")
    pairs = closure("KKKvKK")
    for metric in ("dtc", "dtw"):
        limit = ENGLISH.quiet_limit if metric == "dtc" else None
        codes = solve_all(ENGLISH, pairs, metric, limit)
        for pair in pairs:
            write_table(
                directory / "english" / f"{pair}.{metric}",
                rules_key=ENGLISH.key,
                rules_digest=ENGLISH.digest,
                metric=metric,
                free_scheme=0,
                quiet_limit=limit,
                sections=[
                    SectionInput(
                        str(side), codes[side], None, SectionStats(*count_values(codes[side])[:8])
                    )
                    for side in pair.pair
                ],
            )
    return open_tablebase(directory)


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("report", ["bug51", "bug53"])
def test_a_win_of_five_kings_is_converted(kings: Tablebase, report: str) -> None:
    """Every move lowers DTW by one, and with a history no position comes for the third time."""
    position = Position.from_fen(REPORTS[report]["fen"])
    plies = kings.probe_dtw(position)
    assert plies > 0
    if report == "bug51":
        assert str(kings.best_move(position)) == "22-25"
    player = Player(ENGLISH, kings, load_tables=False, compiled=False)
    history: list[Position] = []
    while position.legal_moves():
        assert abs(kings.probe_dtw(position)) == plies - len(history)
        history.append(position)
        position = position.play(player.choose(position, history[:-1]).move)
    assert len(history) == plies


@pytest.mark.slow
@needs_compiler
def test_bug53_no_third_repetition_while_winning(kings: Tablebase) -> None:
    position = Position.from_fen(REPORTS["bug53"]["fen"])
    best = kings.moves(position)[0]
    child = position.play(best.move)
    again = kings.moves(position, [child, position, child, position])
    assert again[0].move != best.move and again[0].outcome == "win"
    assert next(info for info in again if info.move == best.move).outcome == "draw"


@pytest.mark.slow
@needs_compiler
def test_bug55_the_longest_win_of_a_slice() -> None:
    codes = solve_all(ENGLISH, closure("KKMvKK"), "dtw")
    assert count_values(codes[Material.parse("KKMvKK")]).longest_win == 147
