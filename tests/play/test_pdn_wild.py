"""PDN as people keep it: spaced, short, undecided, foreign and damaged."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import crownbase as cb
from crownbase.play import pdn_text
from crownbase.play.game import Game
from crownbase.play.pdn import PdnError, PdnGame, read_pdn, read_pdn_file, write_pdn
from crownbase.play.pdn_ways import Ways
from crownbase.rules import RULE_SETS

SHORT = '[GameType "21"] [FEN "W:WK11:B13,14,15,16,23,24,26"] 1. 11x9'
"""11x18x9 and 11x20x27x18x9 share start and end; only after the first 16-20 can be played."""


def one(text: str, rules: str | None = None) -> PdnGame:
    (found,) = read_pdn(text, rules)
    return found


def moves(found: PdnGame) -> list[str]:
    assert found.game
    return [str(move) for move in found.game.moves]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[GameType "20"] [FEN "W:W43:B1,30"] 1. 43-39  1- 6 *', "43-39 1-6"),
        ('[GameType "20"] [FEN "W:WK47:B20,8"] 1. 47x 15 *', "47x15"),
        ('[GameType "20"] 1. 32 - 28 19 -23 2. 28 x\n19 14x 23! *', "32-28 19-23 28x19 14x23"),
        ('[GameType "25"] 1. c3 - d4 b6- c5 2. d4 : b6 *', "c3-d4 b6-c5 d4:b6"),
        ('[GameType "20"] 1. 32–28 19—23 2. 28×19 14х23 3. 37\u200b−32 *', None),
        ('[GameType "20"] 1. 32-28 19-23 28x19 14x23 37-32 2 - 0', None),
        ('[GameType "25,W,8,8,S0,0"] 1. cd4 ba5 2. dc5 *', "c3-d4 b6-a5 d4-c5"),
        ('[GameType "25"] 1. cd4 ba5 2. de5 d:f4 3. g:e5 *', "c3-d4 b6-a5 d4-e5 d6:f4 g3:e5"),
    ],
)
def test_the_reading_grammar(text: str, expected: str | None) -> None:
    """White space inside moves (wiegerw/pdn, doc/grammar.rst); signs of word processors; short."""
    found = one(text)
    assert found.error is None and found.warnings == []
    assert moves(found) == (expected or "32-28 19-23 28x19 14x23 37-32").split()


def test_a_dash_alone_joins_no_number_of_a_move() -> None:
    found = one('[GameType "20"] 1. 32-28 - 2. 37-32 *')
    assert found.error and "an unknown move" in found.error.problem


def test_moves_after_a_short_capture_decide_it() -> None:
    found = one(f"{SHORT} 16-20 *")
    assert found.error is None and moves(found) == ["11x18x9", "16-20"]
    assert "leave only 11x18x9" in found.warnings[0].problem
    for end in (" *", " {and so on}", " 1-2 *"):
        found = one(SHORT + end)
        assert found.error and "write one of: 11x18x9, 11x20x27x18x9" in found.error.problem
        assert moves(found) == []


def test_undecided_captures_cost_no_more_than_their_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many ways there are, no more than the bound are carried along."""
    most = 0
    play = Ways.play

    def counted(self: Ways, *args: object) -> bool:
        nonlocal most
        played = play(self, *args)  # type: ignore[arg-type]
        most = max(most, len(self._ways))
        return played

    monkeypatch.setattr(Ways, "play", counted)
    # Both kings go to and fro: every text is one move, and both ways stay open to the end.
    fen = "W:WK11,K32:B13,14,15,16,23,24,26,K1"
    text = f'[GameType "21"] [FEN "{fen}"] 11x9 ' + "1-5 32-28 5-1 28-32 " * 200
    found = one(text)
    assert found.game
    assert most <= 64


def test_turning_squares_come_before_crossed_ones() -> None:
    """5x14x25x48 turns on 14; 5x28x39x48 only crosses it, behind its first victim."""
    fen = "W:WK5:BK10,K12,K20,K21,K33,K43,K45,K47"
    position = cb.Position.from_fen(fen, rules="international")
    assert str(position.parse_move("5x14x48")) == "5x14x25x48"
    assert str(position.parse_move("5x10x28x48")) == "5x28x39x48"  # a victim is named
    with pytest.raises(cb.IllegalMoveError, match="several captures"):
        position.parse_move("5x10x48")


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ('[GameType "99"] [SetUp "1"] [FEN "W:W31:B20:H0:F1"]', "international"),
        ('[GameType "99"] [Variant "From Position"] [FEN "W:W31:B20:H0:F1"]', None),
        ('[Variant "International"] [FEN "W:W31:B20"]', None),
        ('[Variant "Standard"] [FEN "W:W31:B20"]', "international"),
    ],
)
def test_rules_without_a_number_of_the_standard(text: str, rules: str | None) -> None:
    found = one(f"{text} 1. 31-27 20-25 *", rules)
    assert found.error is None and found.game and found.game.ply == 2
    assert found.game.rules.key == "international"


def test_rules_that_a_variant_contradicts_or_a_file_would_open() -> None:
    assert moves(one('[Variant "Russian"] 1. c3-d4 *')) == ["c3-d4"]
    error = one('[Variant "Russian"] 1. 11-15 *', "english").error
    assert error and error.token == "Russian" and "another game than English" in error.problem
    error = one('[GameType "99"] 1. 31-27 *').error
    assert error and "no number of the standard" in error.problem
    error = one('[GameType "x.toml"] *').error
    assert error and "unknown rule set" in error.problem


def test_a_set_up_between_moves_begins_a_game_of_its_own() -> None:
    text = (
        '[GameType "20"] [Result "1-0"] 1. 32-28 19-23 /FEN "W:W31:B20"/ 31-27 20-25 '
        '/FEN "W:W27:B25"/ 27-22 1-0'
    )
    first, second = read_pdn(text)
    assert moves(first) == ["32-28", "19-23"] and first.result == "*"
    assert "another game" in first.warnings[0].problem
    assert moves(second) == ["31-27", "20-25", "27-22"]  # the second set-up is only a picture
    assert second.tags["FEN"] == "W:W31:B20" and second.result == "1-0"


def test_cyrillic_letters_are_read_and_named() -> None:
    found = one('[GameType "25"] [FEN "W:Wа1:Вh8"] 1. а1-b2 *')
    assert found.error is None and moves(found) == ["a1-b2"]
    assert [warning.token for warning in found.warnings] == ["FEN", "а1-b2"]
    with pytest.raises(cb.FenError, match="'В' is a Cyrillic letter, write the Latin 'B'"):
        cb.Position.from_fen("W:W18:В15")
    with pytest.raises(cb.IllegalMoveError, match="'с' is a Cyrillic letter"):
        cb.Position.start("russian").parse_move("с3-d4")
    assert str(cb.Position.from_fen("W:W18\u200b:B14–15")) == "W:W18:B14,15"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "cp1252", "utf-8-sig"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.pdn"
    path.write_bytes('[Event "Köln – 1"]\n1. 32–28 19-23 *'.encode(encoding))
    (found,) = read_pdn_file(path, "international")
    assert found.error is None and moves(found) == ["32-28", "19-23"]
    assert found.tags["Event"] == "Köln – 1"


def test_messages_speak_the_squares_of_the_game() -> None:
    error = one('[GameType "25"] 1. 22-18 9-13 2. 18-10 *').error
    assert error and re.search(r"legal here: .*d4-c5", error.problem)
    error = one('[GameType "24"] 1. 10-14 23-20 2. 1-2 *').error  # official Spanish numbers
    assert error and "W:W14,12,11,9" in error.problem and "5-10" in error.problem
    error = one('[GameType "25"] 1. c3-c9 *').error
    assert error and "'c9'" in error.problem


def test_what_a_record_says_is_written_again() -> None:
    text = (
        '[Event "x"] [GameType "25"] [Result "1-0"] [Annotator "me"]\n'
        "{hello} 1. c3-d4! {a} b6-a5 $7 {b} 1-0"
    )
    game = Game.from_pdn(text)
    written = game.pdn({"Event": "y"})
    assert "{hello} 1. c3-d4 $1 {a} b6-a5 $7 {b} *" in written
    assert '[Event "y"]' in written and '[Annotator "me"]' in written
    assert '[Result "1-0"]' in written and '[GameType "25,W,8,8,A0,0"]' in written
    assert Game.from_pdn(game.pdn()).pdn() == game.pdn()
    assert Game.from_pdn(game.pdn()).comments == {0: ["hello"], 1: ["a"], 2: ["b"]}


RUBBISH = (
    "$1 ",
    "(",
    "a ",
    "{\n",
    "{{}",
    "[\n",
    '[A "" ',
    "1x 1",
    "1 - ",
    "\n",
    '"]',
    "!(",
    ") ",
    '/FEN "',
    "1.",
    "{} ",
)


@pytest.mark.parametrize("piece", RUBBISH)
def test_reading_takes_work_in_proportion_to_the_text(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Characters that patterns are let loose on, counted: twice the text, about twice the work."""

    class Counted:
        def __init__(self, pattern: re.Pattern[str]) -> None:
            self.pattern = pattern
            self.seen = 0

        def match(self, text: str, at: int = 0) -> re.Match[str] | None:
            found = self.pattern.match(text, at)
            self.seen += 1 + (found.end() - at if found else 0)
            return found

        def finditer(self, text: str) -> object:
            self.seen += len(text)
            return self.pattern.finditer(text)

    work = []
    for length in (3000, 6000):
        counted = [
            Counted(getattr(pdn_text, name))
            for name in ("_NEXT", "_BRACE")
            if isinstance(getattr(pdn_text, name), re.Pattern)
        ]
        with monkeypatch.context() as patch:
            for name, stand_in in zip(("_NEXT", "_BRACE"), counted, strict=True):
                patch.setattr(pdn_text, name, stand_in)
            for found in read_pdn((piece * length)[:length], "international"):
                assert found.game or found.error
        work.append(sum(one.seen for one in counted))
    assert work[1] <= 3 * work[0] + 100


def test_oddities_without_end_are_not_all_listed() -> None:
    (found,) = read_pdn("[ x\n" * 5000, "international")
    assert len(found.warnings) == 101
    assert found.warnings[-1].problem == "and more; no further oddities of this game are listed"


def test_a_megabyte_of_parentheses_is_a_handful_of_tokens() -> None:
    assert sum(1 for _ in pdn_text.tokens("(" * 1_000_000)) == 1
    (found,) = read_pdn("(" * 1_000_000, "international")
    assert found.error and "variation without end" in found.error.problem
    assert len(str(PdnError("a", 1, "x" * 1_000_000, "no move"))) < 200


@pytest.mark.parametrize("key", sorted(RULE_SETS))
def test_random_games_are_read_back_and_damage_is_survived(key: str) -> None:
    rng = random.Random(f"wild {key}")
    for _ in range(2):
        game = cb.Game(key)
        while not game.is_over and game.ply < 40:
            game.play(rng.choice(game.legal_moves()))
        game.comments = {rng.randrange(game.ply + 1): ["a comment"]}
        game.nags = {rng.randrange(1, game.ply + 1): ["$4"]}
        text = write_pdn(game)
        again = Game.from_pdn(text)
        assert again.moves == game.moves and again.comments.items() >= game.comments.items()
        assert again.nags == game.nags and again.pdn() == text
        spaced = re.sub(r"(\d)([-x:])(?=[a-h\d])", r"\1 \2 ", text.partition("\n\n")[2])
        respaced = Game.from_pdn(text.partition("\n\n")[0] + "\n\n" + spaced)
        assert respaced.moves == game.moves
        for _ in range(10):
            damaged = list(text)
            for _ in range(rng.randint(1, 8)):
                at = rng.randrange(len(damaged))
                damaged[at : at + rng.randint(0, 3)] = rng.choice(
                    '{}()[]"*-x:.!?$%;/ \n\\019ahKWВх–½\u200b\ufeff\0'
                )
            for found in read_pdn("".join(damaged)):
                assert found.game or found.error
                assert all(str(fault) for fault in [found.error, *found.warnings])


@pytest.mark.parametrize(
    "rubbish", ["$1 ", "a ", "[\n", "{\n", '"]', "!(", "1 - ", "{{}", ") ", "( "]
)
def test_a_megabyte_of_rubbish_is_left_and_the_next_game_is_read(rubbish: str) -> None:
    """Work is bounded: what no game can be is not read to its end."""
    text = rubbish * (1_000_000 // len(rubbish)) + '\n[GameType "21"]\n1. 11-15 *\n'
    assert sum(1 for _ in pdn_text.tokens(text)) < pdn_text.MOST_TOKENS + 100
    games = list(read_pdn(text))
    assert games[-1].error is None and games[-1].game is not None and games[-1].game.ply == 1
    assert all(game.error for game in games[:-1])
