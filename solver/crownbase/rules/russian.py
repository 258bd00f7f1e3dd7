"""Russian draughts (FMJD section 64)."""

import dataclasses

from crownbase.rules.draw import (
    COUNT_PAUSED,
    MATERIAL,
    WEAK,
    ClassClock,
    DrawRules,
    QuietClock,
    Repetition,
    against_a_king,
    kings_on_both_sides,
)
from crownbase.rules.geometry import DIAGONAL_8
from crownbase.rules.rules import Notation, Rules

# Draw rules, FMJD-64 7.2.3-7.2.8. Decided here, since the text is silent or sources differ:
# - 7.2.4 three or more kings: "counted from when the balance arose", so a capture inside the class
#   starts the count again (lidraughts does the same);
# - 7.2.6 30 and 60 moves are of EACH side (lidraughts: 60 and 120 plies; its forum has both views);
# - 7.2.5 holds beside 7.2.6, as the text has it; lidraughts drops it with 4 to 7 pieces;
# - 7.2.7 the count is lost when the king leaves the main road, or another piece steps on it (a
#   program that cites the Russian federation does so); lidraughts keeps counting.
# Where it says "by the 15th (5th) move" of the stronger side, 15 (5) moves of each side are
# counted: a win comes with a move of the stronger side, so the same games are drawn.
THREE_KINGS = ClassClock(
    name="three or more kings against a king",
    materials=against_a_king(*range(3, 13), only_kings=True),
    moves=15,
    restarts=MATERIAL,
    article="FMJD-64 7.2.4",
)
FOUR_OR_FIVE = ClassClock(
    name="kings on both sides, 4 or 5 pieces",
    materials=kings_on_both_sides(4, 5),
    moves=30,
    restarts=MATERIAL,
    article="FMJD-64 7.2.6",
)
SIX_OR_SEVEN = ClassClock(
    name="kings on both sides, 6 or 7 pieces",
    materials=kings_on_both_sides(6, 7),
    moves=60,
    restarts=MATERIAL,
    article="FMJD-64 7.2.6",
)
MAIN_ROAD = ClassClock(
    name="three pieces against a king on the main road",
    materials=against_a_king(3),
    moves=5,
    road=WEAK,
    article="FMJD-64 7.2.7",
)
TWO_OR_LESS = ClassClock(
    name="one or two pieces against a king",
    materials=against_a_king(1, 2),
    moves=5,
    article="FMJD-64 7.2.8",
)
FMJD_64 = DrawRules(
    name="fmjd-64",
    source="FMJD-64 rules, 7.2; Kodeks 2004",
    repetition=Repetition(3, article="FMJD-64 7.2.3"),
    quiet=QuietClock(30, article="FMJD-64 7.2.5"),
    class_clocks=(THREE_KINGS, FOUR_OR_FIVE, SIX_OR_SEVEN, MAIN_ROAD, TWO_OR_LESS),
)
LIDRAUGHTS = dataclasses.replace(
    FMJD_64,
    name="lidraughts",
    source="lidraughts.org, variant Russian",
    quiet=QuietClock(30, min_pieces=8, article="FMJD-64 7.2.5"),
    class_clocks=(
        THREE_KINGS,
        FOUR_OR_FIVE,
        SIX_OR_SEVEN,
        dataclasses.replace(MAIN_ROAD, off_road=COUNT_PAUSED),
        TWO_OR_LESS,
    ),
)

# Source: Official rules of Russian draughts, kodeks 2004 (article numbers as cited by
# rhalbersma/dctl core/rules/russian.hpp), FMJD-64 rules.
RUSSIAN = Rules(
    key="russian",
    title="Russian draughts (FMJD-64)",
    aliases=("russian-draughts", "shashki", "25"),
    source="Kodeks 2004 / FMJD-64 rules",
    board=DIAGONAL_8,  # 1.1.2: a1 is dark and at White's left hand
    men_capture_backwards=True,  # 1.5.2
    flying_kings=True,  # 1.4.5
    captures_mandatory=True,  # 1.5.10
    capture_choice=(),  # 1.5.13: any way, not only the longest, but to its end
    promotion_in_capture="king",  # 1.5.15: goes on at once as a king
    captured_leave="end",  # 1.5.11, 1.5.12: removed when the capture is complete
    free_landing=False,  # 1.5.9: must choose a square from which it can go on
    notation=Notation(
        letters=True, reads_letters=True, capture_sign=":", game_type="25,W,8,8,A0,0"
    ),
    draw=FMJD_64,
    draw_presets=(LIDRAUGHTS,),
)
