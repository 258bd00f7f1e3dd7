"""English draughts, American checkers (WCDF)."""

from crownbase.rules.geometry import DIAGONAL_8
from crownbase.rules.rules import Notation, Rules

# Source: Official Rules of Draughts (Checkers), World Checkers Draughts Federation. Article
# numbers as cited by rhalbersma/dctl (core/rules/checkers.hpp) and docslib.org/doc/1233951.
ENGLISH = Rules(
    key="english",
    title="English draughts / American checkers (WCDF)",
    aliases=("american", "checkers", "american-checkers", "english-draughts", "wcdf", "21"),
    source="WCDF, Rules of Draughts (Checkers)",
    board=DIAGONAL_8,  # art. 1.1-1.4: 32 dark squares, dark corner at the left hand
    black_begins=True,  # art. 1.10: the darker pieces (1-12) move first
    men_capture_backwards=False,  # art. 1.16: an uncrowned man takes forward
    men_capture_kings=True,  # art. 1.16: any opponent's piece
    flying_kings=False,  # art. 1.17: a king moves and takes one step, in any direction
    captures_mandatory=True,  # art. 1.20: all captures are compulsory
    capture_choice=(),  # art. 1.20: free choice, the chosen chain must be completed
    promotion_in_capture="stop",  # art. 1.19: reaching the crownhead completes the turn
    captured_leave="end",  # art. 1.19: no piece may be jumped twice
    notation=Notation(game_type="21,B,8,8,N1,0"),  # PDN 3.0
)
