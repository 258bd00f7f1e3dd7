"""Russian draughts (FMJD section 64)."""

from crownbase.rules.geometry import DIAGONAL_8
from crownbase.rules.rules import Notation, Rules

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
)
