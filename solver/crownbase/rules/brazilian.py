"""Brazilian draughts: International rules on 64 squares."""

from crownbase.rules.draw import ClassClock, DrawRules, QuietClock, Repetition
from crownbase.rules.geometry import DIAGONAL_8
from crownbase.rules.rules import Notation, Rules
from crownbase.rules.russian import FMJD_64, LIDRAUGHTS

# Draw rules: sources disagree. FMJD-64 plays the Russian list (lidraughts too); texts of Brazilian
# federations have 20 king moves of each without a capture or a man's move (the older wording, "20
# successive moves", is read the same way; flyordie: of each player), and name endings that are
# drawn after 5 moves of each; some of these texts call that part optional.
_FIVE_MOVES = ClassClock(
    name="an even ending of kings",
    materials=("KKvKK", "KKvK", "KKvKM", "KvK", "KMvK"),
    moves=5,
    article="CBD 19",
)
CBD = DrawRules(
    name="cbd",
    source="Regras oficiais do jogo de damas (CBD), 18-19",
    repetition=Repetition(3, article="third occurrence"),
    quiet=QuietClock(40, article="CBD 18"),
    class_clocks=(_FIVE_MOVES,),
)

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
    draw=FMJD_64,
    draw_presets=(CBD, LIDRAUGHTS),
)
