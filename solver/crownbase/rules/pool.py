"""Pool checkers (American Pool Checkers Association)."""

from crownbase.rules.draw import (
    WEAK,
    ClassClock,
    DrawRules,
    QuietClock,
    Repetition,
    against_a_king,
)
from crownbase.rules.geometry import DIAGONAL_8
from crownbase.rules.rules import Notation, Rules

# Draw rules. tkabber 10 and APCA 27: three kings against one are drawn as soon as the LONE king has
# made 13 moves, even if the next move would take it. APCA 26 (third occurrence; 15 moves of each
# by kings only) and 28 (5 moves of the stronger side with up to two pieces against a king) are
# second hand, from rhalbersma/dctl (core/rules/pool.hpp): the preset "tkabber" is without them. Of
# 28, 5 moves of EACH are counted: a win comes with a move of the stronger side, so that the same
# games are drawn, and with a king each neither side is the stronger one.
THIRTEEN_MOVES = ClassClock(
    name="three kings against a king",
    materials=("KKKvK",),
    moves=13,
    counted=WEAK,
    article="APCA 27",
)
_FIVE_MOVES = ClassClock(
    name="one or two pieces against a king",
    materials=against_a_king(1, 2),
    moves=5,
    article="APCA 28 (as cited by dctl)",
)
APCA = DrawRules(
    name="apca",
    source="APCA Tournament Rules of Play, 26-28",
    repetition=Repetition(3, article="APCA 26 (as cited by dctl)"),
    quiet=QuietClock(30, article="APCA 26 (as cited by dctl)"),
    class_clocks=(THIRTEEN_MOVES, _FIVE_MOVES),
)
TKABBER = DrawRules(
    name="tkabber",
    source="tkabber-plugins, rules/pool.txt",
    repetition=Repetition(3, article="not in the text; added so that games end"),
    class_clocks=(THIRTEEN_MOVES,),
)

# Source: APCA rules; text of the tkabber-plugins package (rules/pool.txt); rule numbers as there
# and in rhalbersma/dctl (core/rules/pool.hpp, 13-28).
POOL = Rules(
    key="pool",
    title="Pool checkers (APCA)",
    aliases=("pool-checkers", "american-pool", "23"),
    source="APCA rules",
    board=DIAGONAL_8,
    black_begins=True,  # tkabber 2: the black pieces move first
    men_capture_backwards=True,  # tkabber 5
    flying_kings=True,  # tkabber 7
    captures_mandatory=True,  # tkabber 8
    capture_choice=(),  # tkabber 8: free choice; all pieces of the chosen way must be taken
    promotion_in_capture="pass",  # tkabber 6: crowned only if the capture ends on the last row
    captured_leave="end",  # tkabber 9
    free_landing=False,  # tkabber 7: must land where it can go on
    notation=Notation(reads_letters=True, game_type="23,B,8,8,N1,0"),  # PDN 3.0
    draw=APCA,
    draw_presets=(TKABBER,),
)
