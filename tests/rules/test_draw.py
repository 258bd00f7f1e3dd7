"""Draw rules as data: what each rule set says, that it is cited, and that tables do not feel it."""

from __future__ import annotations

import dataclasses

import pytest

from crownbase.errors import UnknownRulesError
from crownbase.rules import RULE_SETS, DrawRules
from crownbase.rules.draw import (
    DECLARATIONS,
    EACH,
    against_a_king,
    kings_on_both_sides,
    main_road,
    read_material,
)

ALL_PRESETS = [
    pytest.param(draw, id=f"{rules.key}-{draw.name}")
    for rules in RULE_SETS.values()
    for draw in (rules.draw, *rules.draw_presets)
]

# rule set, preset, plies of the quiet clock, occurrences of a position, declared
FACTS = [
    ("english", "wcdf", 80, 3, "claim-with-move"),
    ("english", "automatic", 80, 3, "automatic"),
    ("english", "qdan", 40, 3, "automatic"),
    ("english", "older", 100, 4, "claim-with-move"),
    ("english-optional", "qdan", 40, 3, "automatic"),
    ("pure", "site", 50, 3, "automatic"),
    ("pool", "apca", 30, 3, "automatic"),
    ("pool", "tkabber", None, 3, "automatic"),
    ("russian", "fmjd-64", 30, 3, "automatic"),
    ("russian", "lidraughts", None, 3, "automatic"),
    ("brazilian", "fmjd-64", 30, 3, "automatic"),
    ("brazilian", "cbd", 40, 3, "automatic"),
    ("italian", "fid", 80, 4, "automatic"),
    ("italian", "threefold", 80, 3, "automatic"),
    ("spanish", "fpd", 40, 3, "claim"),
    ("czech", "fmjd", 30, 3, "claim"),
    ("czech", "repetition", None, 3, "automatic"),
    ("turkish", "tudaf", None, 3, "automatic"),
    ("international", "fmjd-2024", 50, 3, "automatic"),
    ("international", "fmjd", 50, 3, "automatic"),
    ("international", "fmjd-2015", 50, 3, "automatic"),
    ("english-huffing", "wcdf", 80, 3, "claim-with-move"),
]


@pytest.mark.parametrize(("key", "preset", "limit", "times", "declared"), FACTS)
def test_limits(key: str, preset: str, limit: int | None, times: int, declared: str) -> None:
    draw = RULE_SETS[key].draw_rules(preset)
    assert draw.quiet_limit == limit
    assert draw.repetition is not None
    assert (draw.repetition.times, draw.repetition.declared) == (times, declared)


def test_the_first_preset_of_each_rule_set_is_its_own() -> None:
    first = {key: preset for key, preset, *_ in reversed(FACTS)}
    assert {rules.key: rules.draw.name for rules in RULE_SETS.values()} == first
    for rules in RULE_SETS.values():
        assert rules.draw_rules() is rules.draw
        assert rules.quiet_limit == rules.draw.quiet_limit


@pytest.mark.parametrize("draw", ALL_PRESETS)
def test_every_rule_is_cited(draw: DrawRules) -> None:
    assert draw.source
    assert draw.repetition is not None
    rules = [draw.repetition, draw.quiet, *draw.class_clocks]
    assert all(rule.article for rule in rules if rule)
    assert draw.repetition.declared in DECLARATIONS
    assert len({clock.name for clock in draw.class_clocks}) == len(draw.class_clocks)


def test_pure_does_not_count_the_set_up_position() -> None:
    counting = {
        rules.key: rules.draw.repetition.counts_setup
        for rules in RULE_SETS.values()
        if rules.draw.repetition
    }
    assert [key for key, counts in counting.items() if not counts] == ["pure"]


def test_draw_rules_change_no_table() -> None:
    """Neither the digest nor what kernels see depends on them."""
    english = RULE_SETS["english"]
    other = dataclasses.replace(english, draw=english.draw_rules("qdan"))
    assert other.digest == english.digest
    assert other != english
    assert not {"draw", "draw_presets"} & {f.name for f in dataclasses.fields(english.traits)}


def clocks(key: str, preset: str | None = None) -> dict[str, tuple[int, str]]:
    return {
        clock.name: (clock.moves, clock.counted)
        for clock in RULE_SETS[key].draw_rules(preset).class_clocks
    }


def test_class_clocks_of_the_rule_books() -> None:
    assert clocks("international", "fmjd-2015") == {
        "three pieces against a king": (16, "each"),
        "one or two pieces against a king": (5, "each"),
    }
    assert RULE_SETS["international"].draw_rules("fmjd") is RULE_SETS["international"].draw
    assert clocks("international") == clocks("international", "fmjd-2015") | {
        "three pieces against a king on the main diagonal": (5, "each")
    }
    assert clocks("russian") == {
        "three or more kings against a king": (15, "each"),
        "kings on both sides, 4 or 5 pieces": (30, "each"),
        "kings on both sides, 6 or 7 pieces": (60, "each"),
        "three pieces against a king on the main road": (5, "each"),
        "one or two pieces against a king": (5, "each"),
    }
    assert clocks("pool", "tkabber") == {"three kings against a king": (13, "weak")}
    assert clocks("spanish") == {"three kings with the main diagonal against a king": (12, "each")}
    assert clocks("english") == clocks("pure") == clocks("italian") == clocks("turkish") == {}


def test_clocks_of_a_material() -> None:
    draw = RULE_SETS["russian"].draw
    names = [clock.article for clock in draw.clocks_of((0, 3), (0, 1))]
    assert names == ["FMJD-64 7.2.4", "FMJD-64 7.2.6", "FMJD-64 7.2.7"]
    assert draw.clocks_of((0, 1), (0, 3)) == draw.clocks_of((0, 3), (0, 1))
    assert draw.clocks_of((3, 0), (0, 1)) == ()
    assert all(clock.plies == 2 * clock.moves for clock in draw.class_clocks)
    assert all(clock.counted == EACH for clock in draw.class_clocks)


def test_materials() -> None:
    assert against_a_king(1, 2) == ("KvK", "KKvK", "KMvK")
    assert against_a_king(3, only_kings=True) == ("KKKvK",)
    for total in (4, 5, 6, 7):
        materials = kings_on_both_sides(total)
        assert len(materials) == len(set(materials))
        for (men, kings), (other_men, other_kings) in map(read_material, materials):
            assert men + kings + other_men + other_kings == total
            assert kings and other_kings
    for wrong in ("", "KvKvK", "Kv", "KXvK", "K"):
        with pytest.raises(ValueError, match="KKMvK"):
            read_material(wrong)


@pytest.mark.parametrize(
    ("key", "squares"),
    [
        ("russian", "a1 b2 c3 d4 e5 f6 g7 h8"),
        ("international", "5 10 14 19 23 28 32 37 41 46"),
        ("spanish", "1 5 10 14 19 23 28 32"),
        ("turkish", ""),
    ],
)
def test_main_road(key: str, squares: str) -> None:
    rules = RULE_SETS[key]
    road = main_road(rules.board)
    found = {rules.square_name(s) for s in range(rules.board.n_squares) if road >> s & 1}
    assert found == set(squares.split())


def test_unknown_presets() -> None:
    with pytest.raises(UnknownRulesError, match=r"'wdcf' for english.*did you mean 'wcdf'"):
        RULE_SETS["english"].draw_rules("wdcf")
    with pytest.raises(UnknownRulesError, match=r"known are fmjd-64, lidraughts, none"):
        RULE_SETS["russian"].draw_rules("wcdf")
    assert RULE_SETS["english"].draw_rules("none") == DrawRules()
    assert RULE_SETS["english"].draw_rules("Automatic").name == "automatic"
