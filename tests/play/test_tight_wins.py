"""No win of the tables is robbed, neither by repetition nor by the clock, however tight it is."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import crownbase as cb
from crownbase.board import Move, Position
from crownbase.index import Material, slice_pairs, unrank_position
from crownbase.jit import INTERPRETED
from crownbase.play.game import Game
from crownbase.play.player import Player
from crownbase.probe import Tablebase, open_tablebase
from crownbase.probe.catalog import rules_folder
from crownbase.retro import count_values, solve_all
from crownbase.rules import find_rules
from crownbase.table import SectionInput, SectionStats, write_table
from play import tight_wins
from play.tight_wins import DEFENDERS, LOOKING, WON, Field

pytestmark = pytest.mark.skipif(INTERPRETED, reason="solves slices")

RULES = find_rules("english-optional")
LIMIT = RULES.quiet_limit or 0
PAIRS = [*slice_pairs(3), *(p for p in slice_pairs(4) if str(p) in ("KKvKK", "KKvKM", "KMvKM"))]
TIGHT = Material.parse("KKvKM")
"""The slice of four pieces in which the clock and repetition meet."""

# Wins that were robbed by the third occurrence when every move was the shortest by DTW: three from
# a report, the others from a search of the slice with `play_slice` and latch = 0.
ROBBED = (
    "W:W12,K18:B4,K16",
    "B:WK7,29:BK16,K25",
    "B:WK13,29:BK10,21:H27",
    "B:WK5,29:BK9,K23:H5",
    "W:WK7,K25:B4,K28:H1",
    "W:WK7,K25:B4,K27:H3",
)

Codes = dict[str, dict[Material, np.ndarray]]


@pytest.fixture(scope="module")
def codes() -> Codes:
    """Codes of KKvKM, KMvKM and all that they lead to; DTW knows no clock."""
    return {
        "dtc": solve_all(RULES, PAIRS, "dtc", quiet_limit=LIMIT),
        "dtw": solve_all(RULES, PAIRS, "dtw"),
    }


@pytest.fixture(scope="module")
def field(codes: Codes) -> Field:
    return tight_wins.make_field(codes, list(codes["dtc"]), plain=True)


@pytest.fixture(scope="module")
def tables(codes: Codes, tmp_path_factory: pytest.TempPathFactory) -> Tablebase:
    directory = tmp_path_factory.mktemp("tight")
    for metric, values in codes.items():
        for pair in PAIRS:
            sections = [
                SectionInput(
                    str(side),
                    values[side].astype(np.int16),
                    np.zeros(len(values[side]), bool),
                    SectionStats(*count_values(values[side])[:8]),
                )
                for side in pair.pair
            ]
            write_table(
                directory / rules_folder(RULES) / f"{pair}.{metric}",
                rules_key=RULES.key,
                rules_digest=RULES.digest,
                metric=metric,
                free_scheme=0,
                quiet_limit=LIMIT if metric == "dtc" else None,
                sections=sections,
            )
    return open_tablebase(directory, rules=RULES)


def tight_starts(codes: Codes, count: int) -> list[Position]:
    """Wins of KKvKM whose shortest way is longer than the clock allows; the clock runs already."""
    rng = random.Random(12)
    dtc, dtw = (codes[metric][TIGHT] for metric in ("dtc", "dtw"))
    tight = np.flatnonzero((dtc > 0) & (dtc <= LIMIT) & (dtw > LIMIT))
    found = []
    for index in rng.sample(list(tight), count):
        boards = unrank_position.plain(RULES.traits.plain, int(index), *TIGHT.counts)
        clock = rng.randrange(LIMIT - int(dtc[index]) + 1)
        fen = Position.from_boards(RULES, rng.choice("WB"), boards).fen()
        found.append(Position.from_fen(f"{fen}:H{clock}", RULES))
    return found


def mode_of(position: Position) -> int:
    return position.clock | LIMIT << 10 | (position.turn == "B") << 21


def play_phase(field: Field, position: Position, defender: int, latch: int = 1) -> int:
    """How a phase ends, see ``tight_wins.play_phase``."""
    return tight_wins.play_phase.plain(
        RULES.traits.plain, field, position.boards, mode_of(position), defender, latch
    )


def test_nobody_is_robbed_of_a_tight_win(codes: Codes, field: Field) -> None:
    robbed = [Position.from_fen(fen, RULES) for fen in ROBBED[3:]]
    assert all(play_phase(field, one, LOOKING, latch=0) & 3 == 2 for one in robbed)
    for position in robbed + tight_starts(codes, 40):
        for defender in DEFENDERS:
            assert play_phase(field, position, defender) & 3 == WON, (position.fen(), defender)


def repetition_seeker(tables: Tablebase, game: Game) -> Move:
    """Back to what has been, or so that the winner's next move goes there; else resistance."""

    def merit(move: Move) -> tuple[int, int]:
        child = game.position.play(move)
        found = tables.best_move(child, [*game.history, game.position])
        answer = child.play(found) if found else child
        seen = 2 * game.occurrences(answer) + game.occurrences(child)
        return seen, 0 if move.is_conversion else abs(tables.probe_dtc(child))

    return max(game.legal_moves(), key=merit)


@pytest.mark.parametrize("fen", ROBBED)
@pytest.mark.parametrize("seeks", [True, False])
def test_reported_wins_are_won_to_the_end(tables: Tablebase, fen: str, seeks: bool) -> None:
    """``Player``, ``best_move``, ``moves`` and ``Game`` agree, up to the last move."""
    game = Game(fen=Position.from_fen(fen, RULES))
    winner = game.turn
    player = Player(RULES, tables, load_tables=False, compiled=False)
    while game.outcome() is None:
        ranked = tables.moves(game.position, game.history)
        assert ranked[0].outcome == ("win" if game.turn == winner else "loss")
        best = tables.best_move(game.position, game.history)
        assert best == ranked[0].move
        if game.turn == winner:
            assert len(ranked) == 1 or player.choose(game.position, game.history).move == best
            game.play(best)
        else:
            game.play(repetition_seeker(tables, game) if seeks else best)
    assert game.outcome().winner == winner


@pytest.mark.parametrize("fen", ROBBED)
def test_the_line_of_a_tight_win_ends_with_the_game(tables: Tablebase, fen: str) -> None:
    game = Game(fen=Position.from_fen(fen, RULES))
    winner = game.turn
    for move in tables.line(game.position):
        game.play(move)
    assert game.outcome().winner == winner


def test_the_kernel_chooses_as_the_tables_do(tables: Tablebase, codes: Codes, field: Field) -> None:
    """Move by move, along phases in which positions come back."""
    starts = [Position.from_fen(fen, RULES) for fen in ROBBED[3:]] + tight_starts(codes, 12)
    traits, repeated_plies = RULES.traits.plain, 0
    for start in starts:
        game, winner, repeated = Game(fen=start), start.turn, False
        field.chance[0] = 1
        while True:
            position = game.position
            for i, one in enumerate((*game.history, position)):
                tight_wins.remember.plain(field, i, *one.boards)
            seen, mode = game.ply + 1, mode_of(position) | repeated << 20
            if position.turn == winner:
                i = tight_wins.choose.plain(traits, field, 0, position.boards, seen, mode)
                start_square, end = field.moves[0][i * 5], field.moves[0][i * 5 + 1]
                best = tables.best_move(position, game.history)
                assert (best.raw.start, best.raw.end) == (start_square, end), position.fen()
                repeated_plies += repeated
                move = best
            else:
                args = (position.boards, seen, mode, LOOKING)
                i = tight_wins.defend.plain(traits, field, *args)
                if i < 0:
                    break
                squares = field.moves[1][i * 5], field.moves[1][i * 5 + 1]
                move = next(m for m in game.legal_moves() if (m.raw.start, m.raw.end) == squares)
            game.play(move)
            if move.is_conversion:
                break
            repeated |= game.occurrences() > 1
    assert repeated_plies > 10


def tables_codes(tables: Tablebase, sides: list[Material]) -> Codes:
    """Whole slices as they lie in the files."""
    slots = {
        metric: {side: tables._lookup.catalog.slot(metric, side.number) for side in sides}
        for metric in ("dtc", "dtw")
    }
    return {
        metric: {side: slot.file.table.read_all(slot.text) for side, slot in found.items()}
        for metric, found in slots.items()
    }


@pytest.mark.slow
def test_tight_wins_of_five_pieces(tmp_path: Path) -> None:
    """Some ten million games: every 23rd tight win of every slice against every defender."""
    cb.build(tmp_path, rules=RULES, pieces=5, metrics=("dtc", "dtw"))
    total = np.zeros((2, 5), np.int64)
    with open_tablebase(tmp_path, rules=RULES) as tables:
        for pair in slice_pairs(5):
            near = tight_wins.neighbours(pair.pair)
            field = tight_wins.make_field(tables_codes(tables, near), near, plain=False)
            for side in pair.pair:
                part = (0, side.positions(RULES), 23)
                for latch in (0, 1):
                    field.chance[0] = 1
                    tight_wins.play_slice(
                        RULES.traits, field, side.counts, part, LIMIT, latch, total[latch]
                    )
    assert total[1, WON] > 5_000_000 and not total[1, 1:4].any(), total
    assert total[0, 2] > 10, "a winner that goes by DTW alone is robbed"
