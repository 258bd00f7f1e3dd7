"""The ranking of moves, best moves and lines."""

from __future__ import annotations

import random

import pytest

from crownbase.board import Position
from crownbase.index import Material, unrank_position
from crownbase.probe import MoveInfo, open_tablebase
from crownbase.probe.ranking import sort_key
from crownbase.probe.result import CATEGORIES, other_side

SAMPLE_FENS = [
    "W:WK19,K23:B12",
    "W:WK10:BK3,K20",
    "B:WK19,30:BK5",
    "B:W30,29:B2",
    "W:WK32:BK1,5",
]


def random_positions(rules, materials, count, seed=1):
    rng = random.Random(seed)
    for name in materials:
        material = Material.parse(name)
        for _ in range(count):
            place = rng.randrange(material.positions(rules))
            boards = unrank_position.plain(rules.traits.plain, place, *material.counts)
            yield Position.from_boards(rules, rng.choice("WB"), boards)


@pytest.fixture(scope="module")
def positions(english):
    names = ["KKvK", "KvKK", "KMvK", "KvKM", "MMvM", "MvMM", "KvK", "MvM"]
    return list(random_positions(english.rules, names, 12))


def test_moves_are_what_they_say(english, positions):
    for position in positions:
        infos = english.moves(position)
        assert sorted(info.move.text for info in infos) == sorted(
            move.text for move in position.legal_moves()
        )
        for info in infos:
            child = position.play(info.move)
            value = english.probe(child)
            assert info.fen == child.fen()
            assert (info.wdl, info.dtc, info.dtw) == (value.wdl, value.dtc, value.dtw)
            assert info.outcome == other_side(value.category)
            assert info.captured == info.move.captured
            assert info.conversion == info.move.is_conversion


def test_the_first_move_attains_the_value(english, positions):
    for position in positions:
        value, infos = english.probe(position), english.moves(position)
        if not infos:
            assert value.dtw == 0 and value.wdl == -1
            assert english.best_move(position) is None
            continue
        best = infos[0]
        assert best.move == english.best_move(position)
        assert best.outcome == value.category
        if value.wdl:
            assert abs(value.dtw) == abs(best.dtw) + 1


def test_moves_are_sorted(english, positions):
    """Outcome first; quick wins, slow losses; in lost and drawn positions, traps before others."""
    for position in positions:
        infos = english.moves(position)
        shares = {info.move: share_of_errors(english, info) for info in infos}
        keys = [sort_key(info, lambda info, shares=shares: shares[info.move]) for info in infos]
        assert keys == sorted(keys)
        places = [CATEGORIES.index(info.outcome) for info in infos]
        assert places == sorted(places)
        wins = [abs(info.dtw) for info in infos if info.outcome == "win"]
        losses = [abs(info.dtw) for info in infos if info.outcome == "loss"]
        assert wins == sorted(wins)
        assert losses == sorted(losses, reverse=True)


def share_of_errors(tables, info: MoveInfo) -> float:
    """Part of the opponent's replies after which he stands worse than the move left him."""
    child = Position.from_fen(info.fen, rules=tables.rules)
    replies = child.legal_moves()
    worse = [reply for reply in replies if -tables.probe_wdl(child.play(reply)) < info.wdl]
    return len(worse) / len(replies) if replies else 0.0


def test_a_drawn_side_sets_traps(english, positions):
    drawn = [position for position in positions if english.probe_wdl(position) == 0]
    assert drawn
    for position in drawn:
        draws = [info for info in english.moves(position) if info.outcome == "draw"]
        shares = [share_of_errors(english, info) for info in draws]
        assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize("fen", SAMPLE_FENS)
def test_lines_have_the_length_that_the_tables_say(english, fen):
    position = Position.from_fen(fen)
    value, line = english.probe(position), english.line(position)
    for move in line:
        position = position.play(move)
    if value.wdl:
        assert len(line) == abs(value.dtw)
        assert not position.legal_moves()
    else:
        assert english.probe_wdl(position) == 0


def test_every_line_ends_as_it_should(english, positions):
    for position in positions[::3]:
        value = english.probe(position)
        if value.wdl:
            assert len(english.line(position)) == abs(value.dtw)


def test_a_drawn_line_ends_when_a_position_comes_again(english):
    position = Position.from_fen("W:WK18:BK1")
    seen = [position]
    for move in english.line(position):
        seen.append(seen[-1].play(move))
    assert len(set(seen[:-1])) == len(seen) - 1
    assert seen[-1] in seen[:-1]


def test_a_line_can_be_cut_short(english):
    assert len(english.line("W:WK19,K23:B12", max_plies=3)) == 3


def test_winning_never_repeats_a_third_time(english):
    """The best move by the tables is passed over when it would let the opponent claim."""
    position = Position.from_fen("W:WK19,K23:BK12")
    best = english.moves(position)[0]
    child = position.play(best.move)
    again = english.moves(position, history=[child, position, child.fen()])
    assert again[0].move != best.move
    assert again[0].outcome == "win"
    demoted = next(info for info in again if info.move == best.move)
    assert (demoted.outcome, demoted.repetitions) == ("draw", 2)
    once = english.moves(position, history=[child])[0]
    assert (once.outcome, once.dtw) == (best.outcome, best.dtw)


def test_losing_takes_a_third_repetition(english):
    position = Position.from_fen("B:WK19,K23:BK12")
    assert english.probe_wdl(position) == -1
    worst = english.moves(position)[-1]
    child = position.play(worst.move)
    rescued = english.moves(position, history=[child, child])[0]
    assert (rescued.move, rescued.outcome) == (worst.move, "draw")


def test_drawing_avoids_what_has_been(english):
    position = Position.from_fen("W:WK18:BK1")
    best = english.moves(position)[0]
    child = position.play(best.move)
    assert english.moves(position, history=[child])[0].move != best.move


def test_the_order_is_the_same_every_time(english, positions):
    for position in positions[::5]:
        assert english.moves(position) == english.moves(position.fen())


@pytest.fixture(scope="module", params=["dtc", "wdl"])
def without_dtw(request, english_directory, tmp_path_factory):
    """English tables of three pieces, of one metric beside WDL or of WDL alone."""
    folder = tmp_path_factory.mktemp(request.param) / "english"
    folder.mkdir()
    for metric in {"wdl", request.param}:
        for path in (english_directory / "english").glob(f"*.{metric}"):
            (folder / path.name).write_bytes(path.read_bytes())
    with open_tablebase(folder.parent) as tables:
        yield tables


def test_a_known_end_is_wanted_by_the_winner_alone(without_dtw):
    """Without DTW tables a distance is known of games that are over: a loser runs into no such."""
    avoided = 0
    for position in random_positions(without_dtw.rules, ["KvMM", "KvKM", "KvKK", "KKvM"], 60):
        infos = without_dtw.moves(position)
        known = [info.dtw is not None for info in infos if info.outcome == infos[0].outcome]
        if len(set(known)) == 2 and infos[0].outcome == "win":
            assert infos[0].dtw is not None
        if len(set(known)) == 2 and infos[0].outcome == "loss":
            assert infos[0].dtw is None
            avoided += 1
    assert avoided > 5


@pytest.mark.parametrize(
    ("fen", "blunder"), [("B:W24,26:BK17", "17-22"), ("W:W25:B2,K18", "25-22")]
)
def test_a_lost_side_does_not_give_its_last_piece_away(without_dtw, fen, blunder):
    assert str(without_dtw.best_move(fen)) != blunder
