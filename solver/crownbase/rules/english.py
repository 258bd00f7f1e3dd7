"""English draughts, American checkers (WCDF)."""

from crownbase.rules.draw import CLAIM, CLAIM_WITH_MOVE, DrawRules, QuietClock, Repetition
from crownbase.rules.geometry import DIAGONAL_8
from crownbase.rules.rules import Notation, Rules

# Draw rules. WCDF 1.32.1: a player shows that with his next move the same position arises for the
# third time. 1.32.2: neither player advanced an uncrowned man during their own previous 40 moves
# and no piece was removed: 80 plies. Both are claims; nothing ends the game by itself.
WCDF = DrawRules(
    name="wcdf",
    source="WCDF, Rules of Draughts (Checkers), art. 1.32",
    repetition=Repetition(3, CLAIM_WITH_MOVE, article="WCDF 1.32.1"),
    quiet=QuietClock(80, CLAIM, article="WCDF 1.32.2"),
)
# The same limits as programs and sites (kawu and others) apply them: by themselves.
AUTOMATIC_DRAWS = DrawRules(
    name="automatic",
    source="kawu and other sites: the WCDF limits, applied without a claim",
    repetition=Repetition(3, article="third occurrence (sites)"),
    quiet=QuietClock(80, article="40 moves each (sites)"),
)
# Qdan counts 40 moves IN TOTAL (20 of each side) without a capture and without a move of a man, and
# the same position three times. Its "move limit" is an option of each game.
QDAN = DrawRules(
    name="qdan",
    source="Qdan, rules of the game",
    repetition=Repetition(3, article="Qdan: same position three times"),
    quiet=QuietClock(40, article="Qdan: 40 moves in total"),
)
# Disagreement: older books have the fourth occurrence and 50 moves of each (R. Pask).
OLDER = DrawRules(
    name="older",
    source="R. Pask: fourth occurrence, 50 moves of each side",
    repetition=Repetition(4, CLAIM_WITH_MOVE, article="fourth occurrence (Pask)"),
    quiet=QuietClock(100, CLAIM, article="50 moves each (Pask)"),
)

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
    draw=WCDF,
    draw_presets=(AUTOMATIC_DRAWS, QDAN, OLDER),
)
