"""``python -m crownbase``: the same as the command ``crownbase``."""

from __future__ import annotations

from crownbase.play.cli import main

if __name__ == "__main__":
    main()
