"""Brazilian draughts: International rules on 64 squares."""

from crownbase.rules.geometry import DIAGONAL_8
from crownbase.rules.rules import Notation, Rules

# Source: FMJD-64 rules for Brazilian draughts; move articles are FMJD Annex 1 (International).
BRAZILIAN = Rules(
    key="brazilian",
    title="Brazilian draughts (FMJD-64)",
    aliases=("brazilian-draughts", "26"),
    source="FMJD-64 rules, FMJD Annex 1",
    board=DIAGONAL_8,  # FMJD-64: a1 is dark and at White's left hand
    men_capture_backwards=True,  # art. 4.1
    flying_kings=True,  # art. 3.9
    captures_mandatory=True,  # art. 4.1
    capture_choice=("most-pieces",),  # art. 4.13; 4.14: free among equals
    promotion_in_capture="pass",  # art. 4.15
    captured_leave="end",  # art. 4.8, 4.11
    notation=Notation(letters=True, reads_letters=True, game_type="26,W,8,8,A0,0"),  # PDN 3.0
)
