"""Rule sets made from TOML files: what they give, and one clear line for every fault."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

import crownbase as cb
import naive_moves
from crownbase.errors import UnknownRulesError
from crownbase.rules import RULE_SETS, Rules, find_rules
from crownbase.rules.rule_files import load_rules

SHORT_KINGS = """\
key = "pool-short-kings"
base = "pool"
title = "Pool with English kings"
flying_kings = false
"""

Loader = Callable[[str], Rules]


@pytest.fixture
def load(tmp_path: Path) -> Loader:
    def write_and_load(text: str) -> Rules:
        path = tmp_path / "my.toml"
        path.write_text(text, encoding="utf-8")
        return find_rules(str(path))

    return write_and_load


def fault(load: Loader, text: str) -> str:
    with pytest.raises(UnknownRulesError) as caught:
        load(text)
    message = str(caught.value)
    assert "\n" not in message
    assert "my.toml" in message
    return message


def test_pool_with_english_kings(load: Loader) -> None:
    rules = load(SHORT_KINGS)
    pool = RULE_SETS["pool"]
    assert (rules.key, rules.title) == ("pool-short-kings", "Pool with English kings")
    assert rules.digest not in {shipped.digest for shipped in RULE_SETS.values()}
    assert rules.men_capture_backwards and rules.black_begins
    assert rules.draw == pool.draw
    # A man still takes backwards, the king goes one step where Pool's goes six.
    assert [str(m) for m in cb.Position.from_fen("W:W18:B23", rules=rules).legal_moves()] == [
        "18x27"
    ]
    lone = "W:WK29:B1"
    assert len(cb.Position.from_fen(lone, rules=rules).legal_moves()) == 1
    assert len(cb.Position.from_fen(lone, rules=pool).legal_moves()) == 7


def test_pool_with_english_kings_moves_like_the_naive_twin(
    load: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = load(SHORT_KINGS)
    twin = naive_moves.Rules(men_take_backwards=True, man_on_last_row="passes")
    monkeypatch.setitem(naive_moves.RULES, rules.key, twin)
    rng = random.Random(23)
    for _ in range(40):
        position = cb.Position.start(rules)
        turn, board = naive_moves.parse(position.fen(), rules.key)
        for _ in range(rng.randint(1, 60)):
            expected = naive_moves.legal_moves(rules.key, turn, board)
            found = {
                (m.start, m.end, frozenset(m.captured), m.promotes): m
                for m in position.legal_moves()
            }
            assert set(found) == expected, position.fen()
            if not found:
                break
            raw = rng.choice(sorted(found, key=str))
            position = position.play(found[raw])
            turn, board = naive_moves.result(turn, board, raw)
            assert position.fen() == naive_moves.fen(turn, board)


def test_the_same_file_is_the_same_rules(load: Loader) -> None:
    one, other = load(SHORT_KINGS), load(SHORT_KINGS)
    assert one == other and one.digest == other.digest
    position = cb.Position.from_fen("W:WK29:B1", rules=one)
    assert position == cb.Position.from_fen("W:WK29:B1", rules=other)


def test_a_file_that_says_nothing_new_has_the_tables_of_its_base(load: Loader) -> None:
    """Names and draw rules are no part of the digest."""
    rules = load('key = "my-pool"\nbase = "pool"\ndraw = "tkabber"\n')
    assert rules.digest == RULE_SETS["pool"].digest
    assert rules.quiet_limit is None
    assert rules.notation.game_type is None


def test_a_file_without_a_base(load: Loader) -> None:
    rules = load(
        'key = "spantsiretti"\n'
        'men_capture_backwards = true\nflying_kings = true\npromotion_in_capture = "king"\n'
        "men_rows = 3\n"
        "[board]\nrows = 8\ncolumns = 10\n"
        '[notation]\nletters = true\ncapture_sign = ":"\ngame_type = "41,W,10,8,A0,0"\n'
    )
    assert rules.board.n_squares == 40
    assert rules.notation.reads_letters
    start = cb.Position.start(rules)
    assert start.pieces == 30
    assert len(start.legal_moves()) == 9
    assert rules.draw.name == "none"


def test_draw_rules_in_a_file(load: Loader) -> None:
    rules = load(
        SHORT_KINGS + "[draw]\n"
        'name = "club"\nmove_limit = 200\n'
        '[draw.repetition]\ntimes = 4\ndeclared = "claim"\n'
        "[draw.quiet]\nlimit = 60\n"
        '[[draw.class_clocks]]\nname = "three kings"\nmaterials = ["KKKvK"]\nmoves = 12\n'
        'road = "strong"\n'
    )
    assert rules.draw.name == "club"
    assert rules.quiet_limit == 60
    assert rules.draw.move_limit == 200
    assert rules.draw.repetition and rules.draw.repetition.times == 4
    assert [clock.plies for clock in rules.draw.class_clocks] == [24]
    assert rules.draw_rules("club") is rules.draw
    assert rules.draw_rules("tkabber").name == "tkabber"


def test_draw_rules_that_start_from_a_preset(load: Loader) -> None:
    rules = load(SHORT_KINGS + '[draw]\npreset = "apca"\n[draw.quiet]\nlimit = 40\n')
    assert rules.quiet_limit == 40
    assert rules.draw.class_clocks == RULE_SETS["pool"].draw.class_clocks


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('base = "pool"\n', ["key", "missing"]),
        ('key = "x"\n', ["board", "missing"]),
        ('key = "x"\n[board]\nrows = 8\n', ["board.columns", "missing"]),
        ('key = "My Rules"\nbase = "pool"\n', ["key", "lower-case", "My Rules"]),
        ('key = "pool"\nbase = "pool"\n', ["key", "ships"]),
        ('key = "checkers"\nbase = "pool"\n', ["key", "another name of 'english'"]),
        (SHORT_KINGS + "zzz = 1\n", ["zzz", "known are", " draw,", " men_rows,"]),
        ('key = "x"\nbase = "chess"\n', ["base", "chess", "english"]),
        ('key = "x"\nbase = "other.toml"\n', ["base", "ships"]),
        (SHORT_KINGS + "flying_king = true\n", ["flying_king ", "did you mean 'flying_kings'?"]),
        (SHORT_KINGS + "about_turn = 1\n", ["about_turn", "true or false", "1"]),
        (SHORT_KINGS + 'men_rows = "3"\n', ["men_rows", "number from 1"]),
        ('key = "x"\nbase = "pool"\ntitle = ["a"]\n', ["title", "text"]),
        (
            SHORT_KINGS + 'promotion_in_capture = "fly"\n',
            ["promotion_in_capture", "'stop', 'king', 'pass'", "fly"],
        ),
        (SHORT_KINGS + 'capture_choice = ["most"]\n', ["capture_choice", "most-pieces", "'most'"]),
        (SHORT_KINGS + "[board]\nrow = 8\n", ["board.row", "did you mean 'rows'?"]),
        (SHORT_KINGS + "[board]\nrows = 7\n", ["board.rows", "even"]),
        (SHORT_KINGS + "[board]\nrows = 12\ncolumns = 12\n", ["72 squares", "64"]),
        (SHORT_KINGS + '[notation]\nresults = ["1", "1", "0"]\n', ["results", "three different"]),
        (SHORT_KINGS + "notation = 3\n", ["notation", "table"]),
        (SHORT_KINGS + 'draw = "fide"\n', ["draw", "fide", "apca, tkabber, none"]),
        (SHORT_KINGS + "draw = 40\n", ["draw", "table"]),
        (SHORT_KINGS + "[draw.quiet]\nlimits = 40\n", ["draw.quiet.limit", "missing"]),
        (SHORT_KINGS + "[draw.quiet]\nlimit = 0\n", ["draw.quiet.limit", "from 1"]),
        (
            SHORT_KINGS + '[[draw.class_clocks]]\nname = "a"\nmoves = 5\nmaterials = ["3v1"]\n',
            ["draw.class_clocks[1].materials", "3v1", "KKMvK"],
        ),
        ('key = "x"\nkey = "y"\n', ["TOML", "line 2"]),
    ],
)
def test_missing_unknown_and_wrong_fields(load: Loader, text: str, parts: list[str]) -> None:
    message = fault(load, text)
    for part in parts:
        assert part in message, message


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (SHORT_KINGS + "free_landing = true\n", ["free_landing", "flying_kings"]),
        (
            SHORT_KINGS + "[notation]\nletters = true\nreads_letters = false\n",
            ["letters", "reads_letters"],
        ),
        (SHORT_KINGS + "men_rows = 4\nempty_back_rows = 1\n", ["men_rows", "8 rows"]),
        (SHORT_KINGS + 'capture_choice = ["kings-first"]\n', ["kings-first", "most-pieces"]),
        (
            SHORT_KINGS + 'capture_choice = ["most-kings", "most-pieces"]\n',
            ["capture_choice", "order"],
        ),
        (
            SHORT_KINGS + '[notation]\ngame_type = "23,W,8,8,A0,0"\n',
            ["game_type", "first player B"],
        ),
        (
            'key = "x"\nbase = "turkish"\n[[draw.class_clocks]]\nname = "road"\nmoves = 5\n'
            'materials = ["KKvK"]\nroad = "weak"\n',
            ["road", "board"],
        ),
    ],
)
def test_contradictory_fields(load: Loader, text: str, parts: list[str]) -> None:
    message = fault(load, text)
    for part in parts:
        assert part in message, message


def test_inherited_fields_that_no_longer_matter_are_no_contradiction(load: Loader) -> None:
    """Pure's kings land anywhere; without flying kings that says nothing."""
    rules = load('key = "pure-short"\nbase = "pure"\nflying_kings = false\n')
    assert not rules.free_landing


def test_no_such_file_and_no_text(tmp_path: Path) -> None:
    with pytest.raises(UnknownRulesError, match=r"no rule file .*nowhere\.toml"):
        find_rules(str(tmp_path / "nowhere.toml"))
    (tmp_path / "mark.toml").write_bytes(b"\xef\xbb\xbf" + SHORT_KINGS.encode())
    assert find_rules(str(tmp_path / "mark.toml")).key == "pool-short-kings"
    (tmp_path / "bytes.toml").write_bytes(b"key = '\xff'")
    with pytest.raises(UnknownRulesError, match=r"bytes\.toml: .*UTF-8"):
        find_rules(str(tmp_path / "bytes.toml"))
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(UnknownRulesError, match=r"folder\.toml"):
        find_rules(str(tmp_path / "folder.toml"))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("men_rows = " + "1" * 5000, "no TOML"),
        ("a = " + "[" * 50_000, "no TOML: nested too deeply"),
        ("a = " + "{a=" * 10_000, "no TOML: nested too deeply"),
        ("a = " + "[" * 100_000, "has more than 65536 bytes"),
        (".".join(["a"] * 20_000) + " = 1", "no TOML: more than 100 dots in line 1"),
        ("\n[" + ".".join(["a"] * 20_000) + "]", "no TOML: more than 100 dots in line 2"),
        ("\0", "no TOML"),
        ("\ufffe\ud800", "not a text file in UTF-8"),
    ],
    ids=range(8),
)
def test_hostile_files_are_one_line_at_once(text: str, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(UnknownRulesError, match=fault) as caught:
        load_rules(path)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 500


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "folder.toml").mkdir()
    for name in ("pipe.toml", "folder.toml"):
        with pytest.raises(UnknownRulesError, match="not an ordinary file"):
            load_rules(tmp_path / name)
    for name in ("~nosuchuser/x.toml", "a\0b.toml", "x" * 5000 + ".toml"):
        with pytest.raises(UnknownRulesError):
            load_rules(name)
