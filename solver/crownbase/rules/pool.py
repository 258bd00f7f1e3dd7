"""Pool checkers (American Pool Checkers Association)."""

from crownbase.rules.geometry import DIAGONAL_8
from crownbase.rules.rules import Notation, Rules

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
)
