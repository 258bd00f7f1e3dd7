"""Rule sets by name: those that ship and those of files."""

from __future__ import annotations

from crownbase.rules.registry import find_shipped
from crownbase.rules.rule_files import load_rules
from crownbase.rules.rules import Rules


def find_rules(rules: str | Rules) -> Rules:
    """The rule set of a key, an alias (``american``), a PDN GameType or a ``.toml`` file.

    A ``Rules`` object is returned as it is.

    Raises:
        UnknownRulesError: no rule set has this name, or the file is not a good rule file.

    >>> cb.find_rules("american").key
    'english'
    """
    if isinstance(rules, Rules):
        return rules
    name = str(rules).strip()
    return load_rules(name) if name.endswith(".toml") else find_shipped(name)
