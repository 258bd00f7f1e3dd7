"""Czech draughts (Ceska dama)."""

from crownbase.rules.draw import CLAIM, DrawRules, QuietClock, Repetition
from crownbase.rules.geometry import DIAGONAL_8
from crownbase.rules.rules import Notation, Rules

# Draw rules: FMJD's brief rules of Czech draughts have the third occurrence if it is claimed, and
# 15 moves without a capture or a man's move (read as 15 of each). Wikipedia and Czech club pages
# have no numbers at all ("theoretically impossible to take any more"): preset "repetition".
FMJD_CZECH = DrawRules(
    name="fmjd",
    source="FMJD, Brief Rules of Czech Draughts",
    repetition=Repetition(3, CLAIM, article="FMJD, Czech: third occurrence"),
    quiet=QuietClock(30, article="FMJD, Czech: 15 moves"),
)
REPETITION_ONLY = DrawRules(
    name="repetition",
    source="no number in the sources; third occurrence so that games end",
    repetition=Repetition(3, article="third occurrence"),
)

# Source: Pravidla ceske damy (klububoudu.cz, hrejsi.cz), Wikipedia (cs, en); the same selection
# in rhalbersma/dctl core/rules/czech.hpp and hcheckers. The Slovak house form in which a blocked
# side draws is not used.
CZECH = Rules(
    key="czech",
    title="Czech draughts",
    aliases=("czech-draughts", "ceska-dama", "29"),
    source="Pravidla ceske damy",
    board=DIAGONAL_8,  # a1 is dark and at White's left hand
    men_capture_backwards=False,  # men take forward only
    flying_kings=True,
    captures_mandatory=True,
    capture_choice=("with-king",),  # if a king can take, a king must; otherwise free, no maximum
    promotion_in_capture="stop",  # crowned, the move ends
    captured_leave="end",
    free_landing=False,  # a chain must be finished
    notation=Notation(letters=True, reads_letters=True, game_type="29,W,8,8,A0,0"),  # PDN 3.0
    draw=FMJD_CZECH,
    draw_presets=(REPETITION_ONLY,),
)
