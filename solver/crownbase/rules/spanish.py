"""Spanish draughts, in Portugal "damas classicas"."""

from crownbase.rules.geometry import DIAGONAL_8_RIGHT
from crownbase.rules.rules import Notation, Rules

# Source: Federacao Portuguesa de Damas, rules 2013; rhalbersma/dctl core/rules/spanish.hpp.
# Disagreement: tkabber's spanish.txt and igraydoma.ru know no quality rule (each piece counts
# one). FPD, brainking and ludoteka have it, and it is used here.
SPANISH = Rules(
    key="spanish",
    title="Spanish draughts / damas classicas (FPD)",
    aliases=("spanish-draughts", "portuguese", "classicas", "24", "28"),
    source="FPD, Regras oficiais 2013",
    board=DIAGONAL_8_RIGHT,  # FPD: the long diagonal is at the right hand
    men_capture_backwards=False,  # FPD: forward only
    flying_kings=True,  # FPD
    captures_mandatory=True,  # FPD
    capture_choice=("most-pieces", "most-kings"),  # FPD: quantity, then quality; no king priority
    promotion_in_capture="stop",  # FPD: crowned, the move ends
    captured_leave="end",  # FPD
    # The official numbering starts at White's right hand: n_official = 33 - n.
    notation=Notation(game_type="24,W,8,8,N1,1", official_reversed=True),
)
