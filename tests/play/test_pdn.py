"""PDN in and out: text that the standard allows, text that it does not, and back again."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import pytest

import crownbase as cb
from crownbase.play.game import Game
from crownbase.play.pdn import PdnError, PdnGame, read_pdn, read_pdn_file, write_pdn
from crownbase.rules import RULE_SETS
from crownbase.rules.draw import CLAIM_WITH_MOVE


def read(text: str, rules: str | None = "international") -> list[PdnGame]:
    return list(read_pdn(text, rules))


def one(text: str, rules: str | None = "international") -> PdnGame:
    (found,) = read(text, rules)
    return found


def moves(found: PdnGame) -> list[str]:
    assert found.game
    return [str(move) for move in found.game.moves]


# -- reading: what the standard has --------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. 32-28 19-23 2. 28x19 14x23 *", "32-28 19-23 28x19 14x23"),
        ("1.32-28 1/2-1/2", "32-28"),
        ("1.32-28!? 19-23(!?!!!) 2.28x19 *", "32-28 19-23 28x19"),
        ("01. 32-28  19-23 02. 28x19", "32-28 19-23 28x19"),
        ("1. 32-28 19-23 $1 2. 28x19 $7 $23 14x23", "32-28 19-23 28x19 14x23"),
        (
            "32-28 19-23 (18-23 38-32 (37-32? 23-29! { Black wins }) 12-18) 28x19",
            "32-28 19-23 28x19",
        ),
        ("% a line\n32-28 % more\n; and more\n19-23", "32-28 19-23"),
        ("3228 1823", "32-28 18-23"),
        ("1. 32-28 ... 19-23", "32-28 19-23"),
        ("1. 32-28* 19-23", "32-28 19-23"),
        ("1. 32x28 19x23 2. 28-19", "32-28 19-23 28x19"),
        ("1. 32-28 19-23 2. 28x19 14x23 3. 37-32 . 2-0", "32-28 19-23 28x19 14x23 37-32"),
    ],
)
def test_move_text(text: str, expected: str) -> None:
    found = one(text)
    assert moves(found) == expected.split()
    assert found.error is None and found.warnings == []


def test_tags_comments_and_result() -> None:
    found = one(
        '[Event "A \\"quoted\\" \\\\ name"]\n[Result "0-2"]\n[GameType "20"]\n'
        "{ Start of the game } 1. 33-28 18-22 2. 39-33? { a classical\nmistake } 0-2\n",
        None,
    )
    assert found.tags["Event"] == 'A "quoted" \\ name'
    assert found.comments == {0: ["Start of the game"], 3: ["a classical mistake"]}
    assert found.result == "0-2"
    outcome = found.game and found.game.outcome()
    assert outcome and outcome.winner == "B"


def test_tags_with_quotes_left_open_are_read_to_the_line_end() -> None:
    found = one('[Site "De "Kring" te X"]\n1. 32-28 *')
    assert found.tags["Site"] == 'De "Kring" te X'


def test_several_games_in_a_text() -> None:
    text = (
        '[Event "1"]\n1. 32-28 2-0\n[Event "2"]\n1. 33-28\n[Event "3"]\n\n[Event "4"]\n34-29 *\n'
        "35-30 *"
    )
    found = read(text)
    assert [game.tags.get("Event") for game in found] == ["1", "2", "3", "4", None]
    assert [moves(game) for game in found] == [["32-28"], ["33-28"], [], ["34-29"], ["35-30"]]
    assert [game.line for game in found] == [1, 3, 5, 7, 9]


def test_nothing_is_no_game() -> None:
    assert read("") == read("  { only a comment }\n") == []
    with pytest.raises(PdnError, match="no game"):
        Game.from_pdn("", "english")


@pytest.mark.parametrize(
    "setup",
    [
        '[FEN "W:W31,K15:B14"]\n',
        '[SetUp "1"]\n[FEN "B:W31,K15:B14."]\n1. ... ',
        '/FEN "W:W31,K15:B14"/ ',
    ],
)
def test_set_ups(setup: str) -> None:
    found = one(setup + ("14-20 " if "B:" in setup else "31-27 ") + "*")
    assert found.error is None
    assert found.game and found.game.ply == 1
    assert found.game.start.pieces == 3


def test_game_types_choose_the_rules() -> None:
    for key, rules in RULE_SETS.items():
        if rules.notation.game_type:
            number = rules.notation.game_type.split(",")[0]
            for tag in (rules.notation.game_type, number):
                found = one(f'[GameType "{tag}"]\n*', None)
                assert found.game and found.game.rules.key == key


def test_rules_that_the_tag_contradicts_or_nobody_names() -> None:
    found = one('[Event "x"]\n[GameType "20"]\n1. 32-28 *', "english")
    assert found.game is None
    assert str(found.error) == (
        "PDN:2: '20': GameType '20' is another game than "
        "English draughts / American checkers (WCDF)"
    )
    found = one("1. 32-28 *", None)
    assert "no GameType tag" in str(found.error)
    found = one('[GameType "27"]\n*', None)
    assert "unknown rule set '27'" in str(found.error)
    found = one('[GameType "21,B,10,10,N1,0"]\n*', "english")
    assert "has 10 columns and 10 rows" in str(found.error)
    # Rules without a GameType of their own are taken at the caller's word.
    found = one('[GameType "21"]\n1. 11-15 *', "english-optional")
    assert found.game and found.game.rules.key == "english-optional"


def test_results_of_every_kind() -> None:
    for text, winner in (("1-0", "W"), ("2-0", "W"), ("0-1", "B"), ("0-2", "B")):
        found = one(f"1. 32-28 {text}")
        outcome = found.game and found.game.outcome()
        assert outcome and outcome.winner == winner
    for text in ("1/2-1/2", "1-1", "1/2"):
        found = one(f"1. 32-28 {text}")
        outcome = found.game and found.game.outcome()
        assert outcome and outcome.winner is None
    for text in ("*", "0-0"):
        found = one(f"1. 32-28 {text}")
        assert found.game and found.game.outcome() is None and found.result == text


def test_in_english_games_the_first_number_is_blacks() -> None:
    """The player who begins comes first; the move on the board and the result agree."""
    text = '[GameType "21"]\n[Result "1-0"]\n[FEN "B:W18:B15"]\n1. 15x22 1-0'
    found = one(text, None)
    assert found.warnings == []
    assert found.game and found.game.result == "1-0"
    found = one(text.replace("1-0", "0-1"), None)
    assert "Black wins" in found.warnings[0].problem
    assert found.game and found.game.result == "1-0"


def test_letters_where_the_rules_write_letters() -> None:
    for text in ("1. c3-d4 b6-c5 2. d4:b6", "1.c3d4 b6c5 2. d4b6", "1. C3-D4 B6-C5 2. D4xB6"):
        assert moves(one(text, "russian")) == ["c3-d4", "b6-c5", "d4:b6"]
    assert moves(one("1. 22-18 9-14 2. 18x9", "russian")) == ["c3-d4", "b6-c5", "d4:b6"]
    assert moves(one("1. f6-e5 *", "pool")) == ["11-15"]


# -- reading: faults -----------------------------------------------------------------------------


def test_a_fault_costs_one_game_and_is_named_with_line_and_token() -> None:
    text = '[Event "1"]\n1. 32-28 19-23\n2. 28-22 2-0\n\n[Event "2"]\n1. 33-28 2-0\n'
    first, second = read(text)
    assert moves(first) == ["32-28", "19-23"]
    assert isinstance(first.error, PdnError)
    assert (first.error.line, first.error.token) == (3, "28-22")
    assert str(first.error).startswith("PDN:3: '28-22': '28-22' is not legal in W:W28")
    assert "legal here: 28x19" in str(first.error)
    assert first.game and first.game.outcome() is None
    assert second.error is None and moves(second) == ["33-28"]
    with pytest.raises(PdnError, match="28-22"):
        Game.from_pdn(text, "international")


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("1. 32-28 -\n", 1, "an unknown move"),
        ("1. 32-28 hello 19-23", 1, "no move"),
        ("1. 32-28 99-98 19-23", 1, "no square '99'"),
        ("1. 32-28 (19-23\n2. 28x19", 1, "variation without end"),
        ("1. 32-28\n1-9\n2. 28x19", 2, "not legal"),
        ('[FEN "?:W29:B4"]\n*', 1, "side to move needed"),
        ('[Event "x"]\n[FEN "W:W3:B4"]\n*', 2, "crown row"),
    ],
)
def test_faults(text: str, line: int, problem: str) -> None:
    error = one(text).error
    assert error is not None
    assert error.line == line
    assert problem in error.problem


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1. 32-28 ) 19-23", "closes no variation"),
        ("1. 32-28 [ 19-23\n1. 19-23", "no tag"),
        ('[Result "2-0"]\n1. 32-28 19-23 1-1', "differs from the Result tag '2-0'"),
        ("1. 32-28 19-23 { nested { comment } } 2. 28x19", "inside a comment"),
        ("1. 32-28 19-23 4-6", "neither a legal move nor a known result"),
        ("1. 32-28 19-23 { no end", "comment without end"),
    ],
)
def test_oddities_cost_nothing(text: str, problem: str) -> None:
    found = one(text)
    assert found.error is None
    assert problem in found.warnings[0].problem
    assert moves(found)[:2] == ["32-28", "19-23"]


def test_an_open_brace_in_a_comment_does_not_swallow_the_next_game() -> None:
    text = '1. 32-28 { a { b } 19-23 2-0\n[Event "2"]\n1. 33-28 { c } 2-0\n'
    first, second = read(text)
    assert moves(first) == ["32-28", "19-23"]
    assert moves(second) == ["33-28"]


def test_damaged_text_never_stops_the_reader() -> None:
    """Whatever stands there: games with their faults, no exception."""
    rng = random.Random(3)
    good = '[Event "1"]\n[GameType "20"]\n1. 32-28 {a} 19-23 (18-23) 2. 28x19 14x23 $3 2-0\n' * 2
    for _ in range(300):
        text = list(good)
        for _ in range(rng.randint(1, 8)):
            at = rng.randrange(len(text))
            text[at : at + rng.randint(0, 3)] = rng.choice('{}()[]"*-x:.!?$%;/ \n\\019ahKW½')
        for found in read("".join(text)):
            assert found.game or found.error
            assert all(str(fault) for fault in [found.error, *found.warnings])


def test_faults_survive_pickling() -> None:
    error = PdnError("a.pdn", 3, "x", "no move")
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.line) == ("a.pdn:3: 'x': no move", 3)


# -- whose squares -------------------------------------------------------------------------------


def test_official_spanish_numbers_are_read_where_the_tag_says_so() -> None:
    official = one('[GameType "24,W,8,8,N1,1"]\n1. 10-14 23-20 *', None)
    assert moves(official) == ["23-19", "10-13"]
    assert moves(one('[GameType "28"]\n1. 10-14 *', None)) == ["23-19"]
    ours = one('[GameType "24,W,8,8,N2,1"]\n1. 23-19 *', None)
    assert moves(ours) == ["23-19"]
    unsaid = one("1. 10-14 *", "spanish")
    assert "counted from the other side" in str(unsaid.error)
    setup = one('[GameType "24"]\n[FEN "W:W1-3,K30:BK32,31"]\n1. 3-6 *', None)
    assert setup.game and setup.game.start.fen() == "W:WK3,30,31,32:BK1,2"
    assert moves(setup) == ["30-27"]


def test_letters_from_the_other_side_are_refused_never_guessed() -> None:
    for rules in ("pool", "pure"):
        error = one("1. c3-d4 *", rules).error
        assert error and "counted from the other side" in error.problem
    error = one("1. c3-d4 *", "english").error
    assert error and "letters in a game of English" in error.problem
    declared = one('[GameType "21,B,8,8,A0,0"]\n1. c3-d4 b6-c5 2. d4xb6 *', None)
    assert moves(declared) == ["11-15", "24-19", "15x24"]
    for tag in ("21,W,8,8,A0,0", "21,B,8,8,A1,1"):
        error = one(f'[GameType "{tag}"]\n1. c3-d4 *', "english").error
        assert error and "are not read" in error.problem


# -- writing -------------------------------------------------------------------------------------


def test_written_text() -> None:
    game = cb.Game("english")
    for move in ("11-15", "23-18", "8-11"):
        game.play(move)
    game.offer_draw("B")
    game.accept_draw()
    assert write_pdn(game, {"White": 'A "B"', "Annotator": "C"}, {1: ["old {faithful}"]}) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "A \\"B\\""]\n'
        '[Black "?"]\n[Result "1/2-1/2"]\n[GameType "21,B,8,8,N1,0"]\n[Annotator "C"]\n\n'
        "1. 11-15 {old (faithful)} 23-18 2. 8-11 {Black offers a draw} {White accepts\n"
        "the draw} {drawn: agreement} *\n"
    )


def test_a_game_that_starts_with_the_second_player() -> None:
    game = cb.Game("russian", "B:Wa1,c1:Bh8,f8:H3")
    game.play("f8-e7")
    game.play("a1-b2")
    text = game.pdn()
    assert "1... f8-e7 2. a1-b2 *" in text
    assert '[SetUp "1"]\n[FEN "B:Wa1,c1:Bf8,h8:H3"]' in text
    again = Game.from_pdn(text)
    assert again.start.clock == 3 and again.moves == game.moves


def test_spanish_games_say_that_their_numbers_are_ours() -> None:
    text = cb.Game("spanish").pdn()
    assert '[GameType "24,W,8,8,N2,1"]' in text


@pytest.mark.parametrize("key", sorted(RULE_SETS))
def test_what_is_written_is_read_back(key: str) -> None:
    rng = random.Random(11)
    game = cb.Game(key)
    while not game.is_over and game.ply < 80:
        game.play(rng.choice(game.legal_moves()))
    text = write_pdn(game)
    assert all(len(line) < 80 for line in text.splitlines())
    (found,) = read_pdn(text)
    assert found.error is None and found.warnings == []
    assert found.game and found.game.moves == game.moves
    assert found.game.position == game.position
    assert found.game.rules is game.rules
    assert found.game.result == game.result
    assert write_pdn(found.game, found.tags).splitlines()[:8] == text.splitlines()[:8]


def test_draw_presets_are_kept() -> None:
    text = cb.Game("english", draw="automatic").pdn()
    assert Game.from_pdn(text).draw.name == "automatic"
    (found,) = read_pdn(text, draw="wcdf")
    repetition = found.game and found.game.draw.repetition
    assert repetition and repetition.declared == CLAIM_WITH_MOVE


def test_files_in_latin_1_and_with_a_byte_order_mark(tmp_path: Path) -> None:
    text = '[Event "40° Campionato"]\r\n\r\n1. 32-28 2-0\r\n'
    for name, data in (("a", text.encode("latin-1")), ("b", text.encode("utf-8-sig"))):
        path = tmp_path / f"{name}.pdn"
        path.write_bytes(data)
        (found,) = read_pdn_file(path, "international")
        assert found.tags["Event"] == "40° Campionato"
        assert moves(found) == ["32-28"]
    path.write_text("1. 32-27\n\n1. 1-1 x", encoding="utf-8")
    error = list(read_pdn_file(path, "international"))[0].error
    assert error is None or error.source == str(path)


@pytest.mark.parametrize("draw", ["qdan", "none"])
def test_draw_rules_and_move_limit_are_read_back(draw: str) -> None:
    game = cb.Game("english", draw=draw, move_limit=3)
    for move in ("11-15", "22-18", "15x22"):
        game.play(move)
    text = game.pdn()
    assert f'[CrownbaseDraws "{draw}"]' in text and '[CrownbaseMoveLimit "3"]' in text
    again = cb.Game.from_pdn(text)
    assert (again.draw, again.outcome()) == (game.draw, game.outcome())
    assert again.position.rules.draw is again.draw
    assert "Crownbase" not in cb.Game("english").pdn()
