"""International draughts, 10x10 (FMJD)."""

from crownbase.rules.geometry import DIAGONAL_10
from crownbase.rules.rules import Notation, Rules

# Source: FMJD Annex 1, Official rules for international draughts (text of November 2015).
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
)
