"""Known endings, for people to look at: names and sources are in ``static/gallery.json``."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TypedDict

GALLERY = Path(__file__).parent / "static" / "gallery.json"


class Ending(TypedDict):
    """A known ending: its rule set, name, position, who wins, and where it stands."""

    rules: str
    name: str
    fen: str
    value: str
    source: str


@cache
def endings() -> tuple[Ending, ...]:
    """All endings, those of a rule set together."""
    return tuple(json.loads(GALLERY.read_text(encoding="utf-8")))


def first_ending(rules: str) -> str:
    """The FEN that is shown first for a rule set; its starting position if it has no ending."""
    return next((ending["fen"] for ending in endings() if ending["rules"] == rules), "start")
