"""English draughts as it was played when a piece that would not take was huffed."""

import dataclasses

from crownbase.rules.english import OLDER, WCDF
from crownbase.rules.english_optional import ENGLISH_OPTIONAL

# Source: Hoyle's Games, "Laws of the game of draughts", art. 4 (standing the huff); the same law in
# Bennet's and other handbooks of the 19th century: the opponent removes the piece that should have
# taken and then makes his own move ("huff and move": a huff is no move). Obsolete; WCDF 1.20 makes
# every capture compulsory. Decided here:
# - the opponent may also let it pass; that it makes the player take after all, the other choice of
#   art. 4, is taking the move back, and no rule of a game that is played on;
# - any one piece that could have taken may be chosen, also the one that moved, where it stands now;
# - who has taken something has not offended, whichever way it took; a begun chain is finished, so
#   that nobody can be huffed for stopping short;
# - a piece removed restarts the draw clock, as a capture does (WCDF 1.32.2: no piece removed).
ENGLISH_HUFFING = dataclasses.replace(
    ENGLISH_OPTIONAL,
    key="english-huffing",
    title="English draughts with huffing (obsolete)",
    aliases=("huffing",),
    source="Hoyle's Games, Laws of the game of draughts, art. 4",
    huffing=True,
    draw=WCDF,
    draw_presets=(OLDER,),
)
