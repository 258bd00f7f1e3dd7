"""The rule sets that ship."""

from __future__ import annotations

from crownbase.errors import UnknownRulesError
from crownbase.rules.brazilian import BRAZILIAN
from crownbase.rules.czech import CZECH
from crownbase.rules.english import ENGLISH
from crownbase.rules.english_huffing import ENGLISH_HUFFING
from crownbase.rules.english_optional import ENGLISH_OPTIONAL
from crownbase.rules.international import INTERNATIONAL
from crownbase.rules.italian import ITALIAN
from crownbase.rules.pool import POOL
from crownbase.rules.pure import PURE
from crownbase.rules.rules import Rules
from crownbase.rules.russian import RUSSIAN
from crownbase.rules.spanish import SPANISH
from crownbase.rules.turkish import TURKISH

RULE_SETS: dict[str, Rules] = {
    rules.key: rules
    for rules in (
        ENGLISH,
        ENGLISH_OPTIONAL,
        PURE,
        POOL,
        RUSSIAN,
        BRAZILIAN,
        ITALIAN,
        SPANISH,
        CZECH,
        TURKISH,
        INTERNATIONAL,
        ENGLISH_HUFFING,
    )
}
"""The rule sets that ship, by key."""

_BY_NAME = {name: rules for rules in RULE_SETS.values() for name in (rules.key, *rules.aliases)}


def shipped_twin(rules: Rules) -> Rules | None:
    """The rule set that ships and has the same values: all moves alike, names and draws aside.

    A user's file whose rules differ from ``english`` in draw rules alone finds ``english``.
    """
    own = RULE_SETS.get(rules.key)
    alike = (own, *RULE_SETS.values())
    return next(
        (one for one in alike if one and one.has_tables and one.digest == rules.digest), None
    )


def table_key(rules: Rules) -> str:
    """The key that tables of these rules carry: of the set that ships with the same values."""
    twin = shipped_twin(rules)
    return (twin or rules).key


def build_name(rules: Rules) -> str:
    """What ``crownbase build`` takes for these rules: a key, or the file they come from."""
    twin = shipped_twin(rules)
    if twin is not None and (twin.quiet_limit == rules.quiet_limit or rules.key == twin.key):
        return twin.key
    return rules.source if rules.source.endswith(".toml") else "FILE.toml"


def find_shipped(name: str) -> Rules:
    """The rule set that ships under this key, alias (``american``) or PDN GameType.

    Raises:
        UnknownRulesError: none has this name.
    """
    plain = name.strip().lower().replace("_", "-").replace(" ", "-")
    found = _BY_NAME.get(plain) or _BY_NAME.get(plain.split(",")[0])
    if found is None:
        raise UnknownRulesError(
            f"unknown rule set {name.strip()!r}; known are {', '.join(RULE_SETS)} (or a .toml file)"
        )
    return found
