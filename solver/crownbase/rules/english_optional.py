"""English draughts in which captures are optional (an option of the Qdan site)."""

import dataclasses

from crownbase.rules.english import AUTOMATIC_DRAWS, ENGLISH, QDAN, WCDF
from crownbase.rules.rules import Notation

# Source: Qdan's published options: "any legal move" in place of compulsory capture; once a jump
# sequence has begun it runs until no further jump is possible; no huffing. All else as English.
ENGLISH_OPTIONAL = dataclasses.replace(
    ENGLISH,
    key="english-optional",
    title="English draughts with optional captures (Qdan)",
    aliases=("optional", "qdan"),
    source="Qdan, options of the game",
    captures_mandatory=False,
    notation=Notation(),
    draw=QDAN,
    draw_presets=(AUTOMATIC_DRAWS, WCDF),
)
