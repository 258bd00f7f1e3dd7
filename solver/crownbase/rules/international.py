"""International draughts, 10x10 (FMJD)."""

import dataclasses

from crownbase.rules.draw import (
    COUNT_RUNS,
    WEAK,
    ClassClock,
    DrawRules,
    QuietClock,
    Repetition,
    against_a_king,
)
from crownbase.rules.geometry import DIAGONAL_10
from crownbase.rules.rules import Notation, Rules

# Draw rules, FMJD Annex 1. 6.3 and 6.4 run from the ply on which the material arises (the capture
# or crowning itself is not counted) and do not restart. The text in force (2024, as quoted on rule
# pages) adds to 6.3: a capture does not extend the 16 moves, and 5 moves of each if the lone king
# is on the main diagonal. Where it is silent, decided here:
# - the 5 moves begin in the first position in which the lone king is on the main diagonal and none
#   of the other side's pieces is; they go on when the king steps off;
# - three against one that becomes two against one counts the 5 moves of 6.4 from there, in place
#   of those on the diagonal;
# - neither outlasts the 16 moves that began before, which go on after a capture.
# The text of 2015, which lidraughts plays too, is the preset "fmjd-2015".
SIXTEEN_MOVES = ClassClock(
    name="three pieces against a king",
    materials=against_a_king(3),
    moves=16,
    carries_into=against_a_king(1, 2),
    article="FMJD 6.3",
)
MAIN_DIAGONAL = ClassClock(
    name="three pieces against a king on the main diagonal",
    materials=against_a_king(3),
    moves=5,
    road=WEAK,
    off_road=COUNT_RUNS,
    article="FMJD 6.3, main diagonal",
)
_FIVE_MOVES = ClassClock(
    name="one or two pieces against a king",
    materials=against_a_king(1, 2),
    moves=5,
    article="FMJD 6.4",
)
FMJD_2024 = DrawRules(
    name="fmjd-2024",
    source="FMJD Annex 1 (2024), art. 6",
    repetition=Repetition(3, article="FMJD 6.1"),
    quiet=QuietClock(50, article="FMJD 6.2"),
    class_clocks=(SIXTEEN_MOVES, MAIN_DIAGONAL, _FIVE_MOVES),
    aliases=("fmjd",),  # the text in force
)
FMJD_2015 = dataclasses.replace(
    FMJD_2024,
    name="fmjd-2015",
    source="FMJD Annex 1 (November 2015), art. 6",
    class_clocks=(dataclasses.replace(SIXTEEN_MOVES, carries_into=()), _FIVE_MOVES),
    aliases=(),
)

# Source: FMJD Annex 1, Official rules for international draughts (draw rules: 2024).
INTERNATIONAL = Rules(
    key="international",
    title="International draughts 10x10 (FMJD)",
    aliases=("international-10x10", "standard", "normal", "polish", "20"),
    source="FMJD Annex 1",
    board=DIAGONAL_10,  # art. 2.1-2.4: 50 dark squares, dark corner at the left hand
    men_capture_backwards=True,  # art. 4.1
    flying_kings=True,  # art. 3.9
    captures_mandatory=True,  # art. 4.1
    capture_choice=("most-pieces",),  # art. 4.13; 4.14: free among equals
    promotion_in_capture="pass",  # art. 4.15: a man that only passes the last row stays a man
    captured_leave="end",  # art. 4.8: no piece twice; 4.11: removed after completion
    men_rows=4,  # art. 2.6
    notation=Notation(game_type="20,W,10,10,N2,0", results=("2-0", "1-1", "0-2")),  # PDN 3.0
    draw=FMJD_2024,
    draw_presets=(FMJD_2015,),
)
