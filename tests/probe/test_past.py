"""Values that know the history: exact under repetition and the clock together.

The twin plays out all histories: it knows how often every position has occurred, nothing of
distances or of ways around positions, and asks the tables only after a conversion.
"""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from crownbase.board import Position
from crownbase.index import Material, slice_pairs, unrank_position
from crownbase.jit import INTERPRETED
from crownbase.probe import Tablebase, open_tablebase, past
from crownbase.probe.catalog import rules_folder
from crownbase.retro import count_values, solve_all
from crownbase.retro.resolve import free_positions
from crownbase.rules import Rules, find_rules
from crownbase.rules.draw import DrawRules, QuietClock, Repetition
from crownbase.table import SectionInput, SectionStats, write_table

pytestmark = pytest.mark.skipif(INTERPRETED, reason="solves slices")

LIMIT, WALK = 13, 8
"""Plies of the clock, and those that a history takes of it: five or so are left to play out."""
WORTH = {"win": 1, "loss": -1}


def rules_with(times: int) -> Rules:
    draw = DrawRules(quiet=QuietClock(LIMIT), repetition=Repetition(times))
    return dataclasses.replace(find_rules("english-optional"), draw=draw)


@pytest.fixture(scope="module")
def codes() -> dict[str, dict[Material, np.ndarray]]:
    rules = find_rules("english-optional")
    return {
        "dtc": solve_all(rules, slice_pairs(3), "dtc", quiet_limit=LIMIT),
        "dtw": solve_all(rules, slice_pairs(3), "dtw"),
    }


def write(directory: Path, rules: Rules, codes, metrics: tuple[str, ...]) -> Tablebase:
    for metric in metrics:
        values = codes["dtw" if metric == "wdl" else metric]
        for pair in slice_pairs(3):
            sections = []
            for side in pair.pair:
                found = np.sign(values[side]) if metric == "wdl" else values[side]
                stats = SectionStats(*count_values(values[side])[:8])
                free = free_positions(rules, side)
                kind = np.int8 if metric == "wdl" else np.int16
                sections.append(SectionInput(str(side), found.astype(kind), free, stats))
            write_table(
                directory / rules_folder(rules) / f"{pair}.{metric}",
                rules_key=rules.key,
                rules_digest=rules.digest,
                metric=metric,
                free_scheme=0,
                quiet_limit=LIMIT if metric == "dtc" else None,
                sections=sections,
            )
    return open_tablebase(directory, rules=rules)


def value(tables: Tablebase, position: Position, clock: int, occurred: Counter, times: int) -> int:
    """1, 0, -1 for the side to move, whatever has been."""
    moves = position.legal_moves()
    if not moves:
        return -1
    if clock >= LIMIT:
        return 0
    best = -1
    for move in moves:
        child = position.play(move)
        if move.is_conversion:
            worth = -WORTH.get(tables.probe(child, clock=0).category, 0)
        elif occurred[child.fen()] + 1 >= times:
            worth = 0
        else:
            occurred[child.fen()] += 1
            worth = -value(tables, child, clock + 1, occurred, times)
            occurred[child.fen()] -= 1
        best = max(best, worth)
        if best == 1:
            break
    return best


def walks(tables: Tablebase, names: list[str], count: int, seed: int):
    """(earlier positions, position): quiet games in which the sides step to and fro a lot."""
    rng = random.Random(seed)
    rules = tables.rules
    while count:
        side = Material.parse(rng.choice(names))
        index = rng.randrange(side.positions(rules))
        boards = unrank_position.plain(rules.traits.plain, index, *side.counts)
        game = [Position.from_boards(rules, rng.choice("WB"), boards)]
        for _ in range(WALK):
            quiet = [m for m in game[-1].legal_moves() if not m.is_conversion]
            if not quiet:
                break
            children = [game[-1].play(move) for move in quiet]
            seen = {one.fen() for one in game}
            back = [child for child in children if child.fen() in seen]
            game.append(rng.choice(back if back and rng.random() < 0.8 else children))
        *earlier, position = game
        category = tables.probe(position).category if len(earlier) == WALK else "draw"
        if category in WORTH and position.legal_moves():
            count -= 1
            yield earlier, position


@pytest.mark.parametrize(("times", "count"), [(2, 25), (3, 25)])
def test_every_move_against_all_histories(
    codes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, count: int
) -> None:
    rules = rules_with(times)
    searched = []
    finds = past.Past._finds
    monkeypatch.setattr(
        past.Past, "_finds", lambda self, *args: searched.append(1) or finds(self, *args)
    )
    robbed = 0
    with write(tmp_path, rules, codes, ("dtc", "dtw")) as tables:
        for earlier, position in walks(tables, ["KKvK", "KvKK", "KMvK", "KvKM"], count, seed=times):
            occurred = Counter(one.fen() for one in [*earlier, position])
            for info in tables.moves(position, earlier):
                child = position.play(info.move)
                if info.conversion:
                    continue
                wanted = 0
                if occurred[child.fen()] + 1 < times:
                    occurred[child.fen()] += 1
                    wanted = -value(tables, child, WALK + 1, occurred, times)
                    occurred[child.fen()] -= 1
                found = WORTH.get(info.outcome, 0)
                game = (position.fen(), [one.fen() for one in earlier], str(info.move))
                assert found == wanted, (game, info.outcome, wanted)
                by_table = WORTH.get(tables.probe(child, clock=WALK + 1).category, 0)
                robbed += wanted != -by_table
    assert robbed and searched


def shuffled(tables: Tablebase, times: int):
    """(earlier positions, position): a won position in which some moves let the opponent repeat."""
    for earlier, position in walks(tables, ["KKvK", "KMvK"], 200, seed=9):
        infos = tables.moves(position, earlier)
        repeated = [info.repetitions >= times - 1 for info in infos]
        if any(info.outcome == "draw" and info.wdl == -1 for info in infos) and not all(repeated):
            yield earlier, position, infos


def opponent_can_repeat(position: Position, earlier: list[Position], times: int) -> bool:
    seen = Counter(one.fen() for one in earlier)
    return any(seen[position.play(move).fen()] >= times - 1 for move in position.legal_moves())


def test_without_distances_the_next_two_plies_are_safe(codes, tmp_path: Path) -> None:
    """No move of a win goes to a spent position, or lets the opponent go there at once."""
    rules, looked_at = rules_with(3), 0
    with (
        write(tmp_path / "all", rules, codes, ("dtc", "dtw")) as full,
        write(tmp_path / "signs", rules, codes, ("wdl",)) as signs,
    ):
        for earlier, position, infos in shuffled(full, 3):
            known = {info.move: info for info in infos}
            for info in signs.moves(position, earlier):
                child = position.play(info.move)
                if opponent_can_repeat(child, [*earlier, position], 3):
                    assert info.outcome != "win", (position.fen(), str(info.move))
                    looked_at += 1
                elif known[info.move].outcome == "win":
                    assert info.outcome == "win"
    assert looked_at > 5


def test_a_search_that_gives_up_takes_the_worse_for_the_mover(
    codes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, changed = rules_with(2), 0
    with write(tmp_path, rules, codes, ("dtc", "dtw")) as tables:
        for earlier, position in walks(tables, ["KKvK", "KvKK"], 40, seed=5):
            known = {info.move: info.outcome for info in tables.moves(position, earlier)}
            with monkeypatch.context() as patch:
                patch.setattr(past, "MAX_NODES", 0)
                for info in tables.moves(position, earlier):
                    changed += info.outcome != known[info.move]
                    worse = {"win": ("win", "draw"), "draw": ("draw", "loss")}
                    assert info.outcome in worse.get(known[info.move], (known[info.move],))
    assert changed


def test_wins_that_repetition_takes_away_come_before_other_draws(codes, tmp_path: Path) -> None:
    with write(tmp_path, rules_with(3), codes, ("dtc", "dtw")) as tables:
        mixed = 0
        for earlier, position in walks(tables, ["KKvK", "KMvK"], 120, seed=9):
            draws = [one for one in tables.moves(position, earlier) if one.outcome == "draw"]
            keys = [(one.repetitions, one.wdl) for one in draws]
            assert keys == sorted(keys)
            mixed += len({one.wdl for one in draws}) > 1
        assert mixed
