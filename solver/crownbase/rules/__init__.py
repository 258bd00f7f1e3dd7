"""What the game is: rule sets as data, and the boards they are played on."""

from crownbase.rules.draw import DrawRules
from crownbase.rules.find import find_rules
from crownbase.rules.geometry import Geometry
from crownbase.rules.registry import (
    RULE_SETS,
    build_name,
    shipped_twin,
    table_key,
)
from crownbase.rules.rules import Notation, Rules, Traits

__all__ = [
    "RULE_SETS",
    "DrawRules",
    "Geometry",
    "Notation",
    "Rules",
    "Traits",
    "build_name",
    "find_rules",
    "shipped_twin",
    "table_key",
]
