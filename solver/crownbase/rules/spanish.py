"""Spanish draughts, in Portugal "damas classicas"."""

from crownbase.rules.draw import (
    CLAIM,
    COUNT_RUNS,
    STRONG,
    ClassClock,
    DrawRules,
    QuietClock,
    Repetition,
)
from crownbase.rules.geometry import DIAGONAL_8_RIGHT
from crownbase.rules.rules import Notation, Rules

# Draw rules. Third occurrence if the opponent claims it (FPD 14 b); 20 moves of each without a
# capture or a man's move (section64port: 40 successive king moves); "forzosa": three kings that
# hold the main diagonal must win against one within 12 moves, and a capture does not restart that.
FPD = DrawRules(
    name="fpd",
    source="FPD, Regras oficiais 2013; section64port",
    repetition=Repetition(3, CLAIM, article="FPD 14 b"),
    quiet=QuietClock(40, article="FPD 14 a: 20 moves each"),
    class_clocks=(
        ClassClock(
            name="three kings with the main diagonal against a king",
            materials=("KKKvK",),
            moves=12,
            carries_into=("KKvK", "KvK"),
            road=STRONG,
            off_road=COUNT_RUNS,
            article="FPD 14 a: forzosa",
        ),
    ),
)

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
    draw=FPD,
)
