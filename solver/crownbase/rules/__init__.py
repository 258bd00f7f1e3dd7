"""What the game is: rule sets as data, and the boards they are played on."""

from crownbase.rules.draw import DrawRules, draw_rules
from crownbase.rules.geometry import Geometry
from crownbase.rules.registry import RULE_SETS, find_rules
from crownbase.rules.rules import Notation, Rules, Traits

__all__ = [
    "RULE_SETS",
    "DrawRules",
    "Geometry",
    "Notation",
    "Rules",
    "Traits",
    "draw_rules",
    "find_rules",
]
