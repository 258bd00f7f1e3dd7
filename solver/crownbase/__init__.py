"""crownbase: draughts endgame databases, from rules to perfect play."""

__version__ = "0.1.0"
