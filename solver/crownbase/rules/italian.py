"""Italian draughts (Federazione Italiana Dama)."""

from crownbase.rules.draw import DrawRules, QuietClock, Repetition
from crownbase.rules.geometry import DIAGONAL_8_RIGHT
from crownbase.rules.rules import Notation, Rules

# Draw rules. FID 9.3 b1: fourth occurrence; 10.4: 40 moves of each (over the board the count is
# made at a player's request). Disagreement: pydraughts and play sites have the third occurrence.
FID = DrawRules(
    name="fid",
    source="FID, Regolamento Tecnico, Capo I (as cited by dctl)",
    repetition=Repetition(4, article="FID 9.3 b1"),
    quiet=QuietClock(80, article="FID 10.4"),
)
THREEFOLD = DrawRules(
    name="threefold",
    source="pydraughts and play sites",
    repetition=Repetition(3, article="third occurrence (sites)"),
    quiet=QuietClock(80, article="FID 10.4"),
)

# Source: FID, Regolamento Tecnico, Capo I; article numbers as in the tests of rhalbersma/dctl
# (test/src/core/model/italian.cpp).
ITALIAN = Rules(
    key="italian",
    title="Italian draughts (FID)",
    aliases=("italian-draughts", "dama-italiana", "22"),
    source="FID, Regolamento Tecnico, Capo I",
    board=DIAGONAL_8_RIGHT,  # art. 2.1: the dark corner is at the right hand
    men_capture_backwards=False,  # art. 5.3
    men_capture_kings=False,  # art. 5.3b
    flying_kings=False,  # art. 4.7: one step
    captures_mandatory=True,  # art. 6.1
    # art. 6.6 most pieces, 6.7 with a king, 6.8 most kings, 6.9 kings as early as possible. Of
    # 6.9 the WHOLE order is compared (position of D. Alioto; federdama rule 8 has the plural);
    # pydraughts compares only where the first king comes.
    capture_choice=("most-pieces", "with-king", "most-kings", "kings-first"),
    promotion_in_capture="stop",  # art. 4.6, 5.5
    captured_leave="end",  # art. 5.8
    notation=Notation(game_type="22,W,8,8,N2,1"),  # PDN 3.0
    draw=FID,
    draw_presets=(THREEFOLD,),
)
