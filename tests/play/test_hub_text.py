"""Hub lines, positions and moves, and what pydraughts writes on 8x8 boards."""

from __future__ import annotations

import pytest

from crownbase.board import Position
from crownbase.errors import CrownbaseError, FenError, IllegalMoveError
from crownbase.play.hub_text import Dialect, split_command, write_line
from crownbase.play.hub_time import DEFAULT_SECONDS, HubLevel
from crownbase.rules import RULE_SETS


def test_lines_with_quotes_flags_and_blanks() -> None:
    command, arguments = split_command('pos  pos=Wbe moves="32-28 19x23"  flag empty="" \n')
    assert command == "pos"
    assert arguments == {"pos": "Wbe", "moves": "32-28 19x23", "flag": "", "empty": ""}
    assert split_command("\n") == ("", {})
    assert split_command("go think") == ("go", {"think": ""})


def test_every_written_token_has_one_equals_sign() -> None:
    line = write_line("error", {"message": 'no x=1 "here"', "empty": "", "n": 3})
    assert line == 'error message="no x:1 \'here\'" empty="" n=3'


@pytest.mark.parametrize("key", RULE_SETS)
@pytest.mark.parametrize("name", ["standard", "pydraughts"])
def test_positions_and_moves_are_read_back(key: str, name: str) -> None:
    dialect = Dialect(RULE_SETS[key], name)
    position = Position.start(key)
    for _ in range(6):
        assert dialect.read_position(dialect.write_position(position)) == position
        for move in position.legal_moves():
            assert dialect.read_move(position, dialect.write_move(move)) == move
        position = position.play(position.legal_moves()[-1])


def test_english_of_pydraughts_is_upside_down_with_colours_swapped() -> None:
    dialect = Dialect(RULE_SETS["english"], "pydraughts")
    start = Position.start("english")
    assert dialect.write_position(start) == "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"
    one = Position.from_fen("B:W32:B1", rules="english")
    assert dialect.write_position(one) == "W" + "b" + "e" * 30 + "w"
    assert dialect.write_move(start.parse_move("11-15")) == "11-15"


def test_russian_of_pydraughts_counts_moves_from_a1() -> None:
    dialect = Dialect(RULE_SETS["russian"], "pydraughts")
    start = Position.start("russian")
    assert dialect.write_move(start.parse_move("e3-f4")) == "11-15"
    assert dialect.write_position(start) == "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"


def test_captured_squares_decide_in_any_order() -> None:
    dialect = Dialect(RULE_SETS["international"])
    position = Position.from_fen("W:W28:B22,12,11", rules="international")
    written = [dialect.write_move(move) for move in position.legal_moves()]
    assert "28x8x12x22" in written
    assert dialect.read_move(position, "28x8x22x12") == dialect.read_move(position, "28x8x12x22")
    with pytest.raises(IllegalMoveError):
        dialect.read_move(position, "28x8")


@pytest.mark.parametrize("text", ["", "W", "X" + "e" * 50, "W" + "e" * 49 + "x", "We"])
def test_foreign_positions_are_refused(text: str) -> None:
    with pytest.raises(FenError):
        Dialect(RULE_SETS["international"]).read_position(text)


def test_a_man_on_its_crown_row_is_refused() -> None:
    with pytest.raises(CrownbaseError):
        Dialect(RULE_SETS["international"]).read_position("Ww" + "e" * 49)


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("depth=7", HubLevel(depth=7)),
        ("nodes=1000", HubLevel(nodes=1000)),
        ("move-time=1.5", HubLevel(seconds=1.45)),
        ("move-time=0.01", HubLevel(seconds=0.005)),
        ("infinite", HubLevel()),
        ("depth=x", HubLevel(seconds=DEFAULT_SECONDS)),
        ("depth=0", HubLevel(depth=1)),
    ],
)
def test_levels(line: str, level: HubLevel) -> None:
    found = HubLevel.read(split_command("level " + line)[1])
    assert (found.depth, found.nodes) == (level.depth, level.nodes)
    assert found.seconds == (None if level.seconds is None else pytest.approx(level.seconds))


@pytest.mark.parametrize(
    ("line", "most"),
    [("time=10", 1.0), ("moves=1 time=10", 5.0), ("time=8 inc=2", 3.0), ("time=0", 0.02)],
)
def test_a_clock_is_never_overrun(line: str, most: float) -> None:
    seconds = HubLevel.read(split_command("level " + line)[1]).seconds
    assert seconds is not None and 0 < seconds <= most
