"""How each rule set writes squares, moves, game types and results, and what it refuses to read.

Facts: PDN 3.0 (wiegerw/pdn, doc/gametype.rst, doc/fen.rst); rule books for the numbering.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

import crownbase as cb
import naive
from crownbase.errors import FenError, IllegalMoveError
from crownbase.play.cli import run
from crownbase.play.render import board_text
from crownbase.rules import RULE_SETS


class Written(NamedTuple):
    """Names of squares 1, 2 and the last; a capture of square 2 rows ahead; PDN's figures."""

    squares: tuple[str, str, str]
    capture: str
    game_type: str | None
    results: str


ONE_POINT, TWO_POINTS = "1-0 1/2-1/2 0-1", "2-0 1-1 0-2"
WRITTEN = {
    "english": Written(("1", "2", "32"), "18x11", "21,B,8,8,N1,0", ONE_POINT),
    "english-optional": Written(("1", "2", "32"), "18x11", None, ONE_POINT),
    "pure": Written(("1", "2", "32"), "18x11", None, ONE_POINT),
    "pool": Written(("1", "2", "32"), "18x11", "23,B,8,8,N1,0", ONE_POINT),
    "russian": Written(("b8", "d8", "g1"), "d4:f6", "25,W,8,8,A0,0", ONE_POINT),
    "brazilian": Written(("b8", "d8", "g1"), "d4xf6", "26,W,8,8,A0,0", ONE_POINT),
    "italian": Written(("1", "2", "32"), "18x11", "22,W,8,8,N2,1", ONE_POINT),
    "spanish": Written(("1", "2", "32"), "18x11", "24,W,8,8,N1,1", ONE_POINT),
    "czech": Written(("b8", "d8", "g1"), "d4xf6", "29,W,8,8,A0,0", ONE_POINT),
    "turkish": Written(("a8", "b8", "h1"), "d4xd6", "30,W,8,8,A0,0", ONE_POINT),
    "international": Written(("1", "2", "50"), "28x19", "20,W,10,10,N2,0", TWO_POINTS),
    "english-huffing": Written(("1", "2", "32"), "18x11", None, ONE_POINT),
}
BEFORE_THE_CAPTURE = {  # a white man takes one of two black men
    8: "W:W18:B15,1",
    10: "W:W28:B23,1",
}
LETTERS = {  # letter names of squares 1, 5 and the last, whatever the rule set writes
    "left": ("b8", "a7", "g1"),
    "right": ("a8", "b7", "h1"),
}


def test_every_rule_set_is_here() -> None:
    assert list(WRITTEN) == list(RULE_SETS)


@pytest.mark.parametrize("key", WRITTEN)
def test_squares_game_type_and_results(key: str) -> None:
    rules, expected = RULE_SETS[key], WRITTEN[key]
    last = rules.board.n_squares - 1
    assert tuple(rules.square_name(s) for s in (0, 1, last)) == expected.squares
    assert rules.notation.game_type == expected.game_type
    assert rules.notation.results == tuple(expected.results.split())


@pytest.mark.parametrize("key", WRITTEN)
def test_the_capture_sign(key: str) -> None:
    rules = RULE_SETS[key]
    fen = "W:Wd4:Bd5,a8" if rules.board.orthogonal else BEFORE_THE_CAPTURE[rules.board.rows]
    if rules.board.dark_corner == "right":
        fen = "W:W18:B14,1"
    captures = [m for m in cb.Position.from_fen(fen, rules=rules).legal_moves() if m.is_capture]
    assert [str(move) for move in captures] == [WRITTEN[key].capture]


@pytest.mark.parametrize("key", [key for key in WRITTEN if RULE_SETS[key].board.n_squares == 32])
def test_letters_of_both_kinds_of_board(key: str) -> None:
    board = RULE_SETS[key].board
    assert tuple(board.name(s) for s in (0, 4, 31)) == LETTERS[board.dark_corner]


@pytest.mark.parametrize("key", WRITTEN)
def test_fen_in_letters_and_in_numbers_is_the_same_position(key: str) -> None:
    rules, rng = RULE_SETS[key], random.Random(key)
    board, n = rules.board, rules.board.n_squares
    for _ in range(50):
        squares = rng.sample(range(n), 6)
        texts = []
        for name in (board.name, lambda square: str(square + 1)):
            white, black = (",".join(f"K{name(s)}" for s in squares[i::2]) for i in (0, 1))
            texts.append(f"W:W{white}:B{black}")
        one, other = (cb.Position.from_fen(text, rules=rules) for text in texts)
        assert one == other
        assert cb.Position.from_fen(one.fen(), rules=rules) == one
        assert (board.name(squares[0]) in one.fen()) == rules.notation.letters


def test_only_spanish_numbers_officially_count_from_the_other_end() -> None:
    told = {key: "33 - n" in board_text(rules, {}) for key, rules in RULE_SETS.items()}
    assert [key for key, yes in told.items() if yes] == ["spanish"]


def test_the_command_says_how_official_spanish_numbers_count(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["moves", "start", "--rules", "spanish"]) == 0
    assert "official numbers count from the other end: 33 - n" in capsys.readouterr().out


# -- moves as text -------------------------------------------------------------------------------

AMBIGUOUS = "W:WK47:B14,19,29,31,42"
"""International; 47x36 takes 14 or 19 (published as ``in-ambig``)."""


def test_ambiguous_captures_are_written_out() -> None:
    position = cb.Position.from_fen(AMBIGUOUS, rules="international")
    assert {str(move): move.captured for move in position.legal_moves()} == {
        "47x38x20x9x36": (14, 29, 31, 42),
        "47x38x24x13x36": (19, 29, 31, 42),
    }


def test_a_bare_ambiguous_text_is_refused_and_the_ways_are_listed() -> None:
    position = cb.Position.from_fen(AMBIGUOUS, rules="international")
    with pytest.raises(IllegalMoveError, match="47x36' can mean several captures") as caught:
        position.parse_move("47x36")
    assert all(str(move) in str(caught.value) for move in position.legal_moves())


@pytest.mark.parametrize("key", WRITTEN)
def test_no_two_moves_are_written_alike(key: str) -> None:
    """A bare text that fits several captures is refused, unless it is one of them in full."""
    rules, rng = RULE_SETS[key], random.Random(f"text of {key}")
    n = rules.board.n_squares
    for _ in range(400):
        squares = rng.sample(range(n), rng.randint(6, 14))
        own = 1 << squares[0]
        men = sum(1 << s for s in squares[1:] if rules.board.width <= s < n - rules.board.width)
        position = cb.Position.from_boards(rules, "W", (0, own, men, 0))
        moves = position.legal_moves()
        assert len({str(move) for move in moves}) == len(moves), position.fen()
        for move in moves:
            assert position.parse_move(str(move)) == move
            bare = rules.notation.capture_sign.join(
                rules.square_name(square - 1) for square in (move.start, move.end)
            )
            alike = [m for m in moves if (m.start, m.end) == (move.start, move.end)]
            if len(alike) > 1 and bare not in map(str, alike):
                with pytest.raises(IllegalMoveError, match="several captures"):
                    position.parse_move(bare)


@pytest.mark.parametrize("key", WRITTEN)
def test_moves_are_read_with_numbers_and_every_sign(key: str) -> None:
    position = cb.Position.start(key)
    letters = RULE_SETS[key].notation.reads_letters
    for move in position.legal_moves():
        names = [RULE_SETS[key].board.name(square - 1) for square in (move.start, move.end)]
        for sign in "-x:*–":
            assert position.parse_move(f"{move.start}{sign}{move.end}") == move
            if letters:
                assert position.parse_move(sign.join(names).upper()) == move


# -- bad input on the command line ---------------------------------------------------------------

BAD = [
    # a FEN legal in one rule set but not in another
    ("english", ["W:W40:B12"], "no square 40 in English"),
    ("international", ["W:W64:B12"], "no square 64 in International"),
    ("turkish", ["W:W65:B12"], "no square 65 in Turkish"),
    ("russian", ["W:W50:B1"], "no square 50 in Russian"),
    ("turkish", ["W:Ka1:B12"], "unknown part 'Ka1'"),
    ("turkish", ["W:W8:Ba8"], "white man on h8"),
    # letters that name a light square, or no square
    ("russian", ["W:Wa2:Bh8"], "'a2' in 'W:Wa2:Bh8' names a light square"),
    ("czech", ["W:WKb1:Bh8"], "'Kb1' in 'W:WKb1:Bh8' names a light square"),
    ("english", ["W:Wa2:Bb8"], "'a2' in 'W:Wa2:Bb8' names a light square"),
    ("italian", ["W:Wa1:Bb7"], "names a light square"),
    ("spanish", ["W:Wb2:Bb7"], "names a light square"),
    ("international", ["W:Wj1:Bb8"], "names a light square"),
    ("russian", ["W:Wi1:Bh8"], "cannot read 'i1'"),
    ("turkish", ["W:Wa9:Bh8"], "no square a9"),
    ("brazilian", ["W:Wa²:Bh8"], "cannot read 'a²'"),
    # letters among numbers where the rule set writes numbers
    ("english", ["W:Wa1,30:Bb8"], "'a1' among numbers"),
    ("italian", ["W:W30:Bb7"], "'b7' among numbers"),
    # moves
    ("english", ["start", "11-14"], "'11-14' is not legal in "),
    ("english", ["start", "11-14"], "legal here: 11-15, 11-16"),
    ("english", ["start", "11-15", "32-9"], "'32-9' is not legal"),
    ("english", ["start", "11"], "'11' is no move; write start and end, as in 11-15"),
    ("english", ["start", "c3-d4"], "no square 'c3'"),
    ("english", ["start", "40-36"], "no square '40'"),
    ("russian", ["start", "c3-d5"], "no square 'd5' in move 'c3-d5'"),
    ("russian", ["start", "a3-b5"], "no square 'b5'"),
    ("russian", ["start", "c3-e5"], "legal here: c3-b4, c3-d4"),
    ("turkish", ["start", "a3-a5"], "legal here: a3-a4"),
    ("international", [AMBIGUOUS, "47x36"], "can mean several captures; write one of: 47x38"),
    ("english", ["W:W1:B32", "1-5"], "man on 1"),
]


@pytest.mark.parametrize(("key", "arguments", "named"), BAD)
def test_bad_input_is_one_line_and_exit_code_2(
    key: str, arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["moves", *arguments, "--rules", key]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1
    assert named in captured.err


def test_moves_after_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["moves", "start", "11-15", "22-18", "15x22", "--rules", "english"]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == ["25x18", "26x17"]


def test_a_long_faulty_fen_is_cut_in_the_message() -> None:
    with pytest.raises(FenError) as caught:
        cb.Position.from_fen("W:W" + "9" * 5000 + ":B1")
    assert "no square 999999999999 in English" in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("key", WRITTEN)
def test_random_text_is_read_or_refused_with_one_line(key: str) -> None:
    rng = random.Random(f"noise for {key}")
    start = naive.fen(*naive.start_position(key))
    alphabet = "WBKwbk:,-.0123456789abcdefghij? _xHF+²é\u2028"
    for _ in range(500):
        text = list(rng.choice((start, "W:WKa1,c3:Bh8", "B:W31-32:BK1-2:H3:F9")))
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text) + 1)
            text[at : at + rng.randint(0, 2)] = rng.choices(alphabet, k=rng.randint(0, 2))
        try:
            position = cb.Position.from_fen("".join(text), rules=key)
        except cb.CrownbaseError as error:
            assert len(str(error).splitlines()) == 1, text
        else:
            assert cb.Position.from_fen(position.fen(), rules=key) == position
