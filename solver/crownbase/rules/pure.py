"""Pure Checkers, the rules of the site of that name."""

from crownbase.rules.draw import DrawRules, QuietClock, Repetition
from crownbase.rules.geometry import DIAGONAL_8
from crownbase.rules.rules import Notation, Rules

# Draw rules (rules and engine agree): 50 half-moves without a capture, in which moves of men count
# like any other; third occurrence. Both by themselves. Engine: the order at the end of a turn is
# win, repetition, limit; the history starts EMPTY, so that a position that was set up must come
# back three times.
SITE = DrawRules(
    name="site",
    source="Pure Checkers: published rules and engine",
    repetition=Repetition(3, counts_setup=False, article="Pure Checkers: threefold repetition"),
    quiet=QuietClock(50, article="Pure Checkers: 50 half-moves without capture"),
)

# Source: the published rules of the Pure Checkers site ("rules"), and where marked "engine" what
# only its program says; both agree wherever both speak.
PURE = Rules(
    key="pure",
    title="Pure Checkers",
    aliases=("pure-checkers", "purecheckers"),
    source="Pure Checkers: published rules and engine",
    board=DIAGONAL_8,
    black_begins=True,  # rules: red (1-12) moves first
    men_capture_backwards=True,  # rules
    flying_kings=True,  # rules
    captures_mandatory=True,  # rules
    capture_choice=(),  # rules: free choice
    promotion_in_capture="stop",  # rules: crowned, the move ends
    captured_leave="hop",  # rules: after each hop
    free_landing=True,  # engine: also where the chain cannot go on
    about_turn=True,  # engine
    man_moves_convert=False,  # rules: 50 half-moves without CAPTURE; man moves do not restart it
    notation=Notation(reads_letters=True),
    draw=SITE,
)
