#!/usr/bin/env python3
"""Show the draw rules of one rule set, or of all, in games: board, line and article.

The same as ``crownbase demo RULES``. Positions come from tables that ship or are solved on the spot
(kings, three against one and less), the moves from perfect play, the ends from the rules.
"""

from __future__ import annotations

import sys

from crownbase.play.cli import run
from crownbase.rules import RULE_SETS


def main() -> int:
    """Run the demonstrations of the named rule sets; the worst exit code."""
    return max(run(["demo", rules]) for rules in sys.argv[1:] or RULE_SETS)


if __name__ == "__main__":
    sys.exit(main())
