"""Turkish draughts (TUDAF)."""

from crownbase.rules.draw import DrawRules, Repetition
from crownbase.rules.geometry import ORTHOGONAL_8
from crownbase.rules.rules import Notation, Rules

# Draw rules: third occurrence. One piece each is drawn at once: ``lone_pieces_draw`` below. Not of
# TUDAF, and not used: 50 plies (kish), 4 plies after 1 v 1 (pydraughts).
TUDAF = DrawRules(
    name="tudaf",
    source="TUDAF tournament rules 2024",
    repetition=Repetition(3, article="TUDAF: third occurrence"),
)

# Source: TUDAF rule book v3/v4 and tournament rules 2024; article numbers in brackets are the
# rule book's. Disagreement: draughts.github.io lets a man crowned in mid-capture go on as a king.
TURKISH = Rules(
    key="turkish",
    title="Turkish draughts (TUDAF)",
    aliases=("turkish-draughts", "dama", "30"),
    source="TUDAF rule book",
    board=ORTHOGONAL_8,  # [R1] all 64 squares, moves along rows and columns
    men_capture_backwards=False,  # [R2] forward and sideways
    flying_kings=True,  # [R4]
    captures_mandatory=True,  # [R2]
    capture_choice=("most-pieces",),  # [R2-R3]
    promotion_in_capture="pass",  # [R5, T1h] goes on as a man, crowned at the end
    captured_leave="hop",  # [Ex 3] removed at once
    about_turn=False,  # [Ex 4] no turn by 180 degrees between two jumps
    lone_pieces_draw=True,  # one piece each is a draw at once, even if the mover could take
    men_rows=2,
    empty_back_rows=1,
    notation=Notation(letters=True, reads_letters=True, game_type="30,W,8,8,A0,0"),  # PDN 3.0
    draw=TUDAF,
)
