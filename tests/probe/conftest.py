"""What the tests of ``probe`` share: engines and open tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from crownbase.probe import Tablebase, kernels, open_tablebase
from crownbase.rules import RULE_SETS, Rules
from probe.databases import naive_values, write_database


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer in plain Python, whatever was compiled before."""
    monkeypatch.setattr(kernels.expand, "worth_compiling", lambda: False)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer in compiled code from the first question on."""
    monkeypatch.setattr(kernels.expand, "worth_compiling", lambda: True)


@pytest.fixture(
    scope="session", params=sorted(key for key in RULE_SETS if RULE_SETS[key].has_tables)
)
def any_rules(request: pytest.FixtureRequest) -> Rules:
    return RULE_SETS[request.param]


@pytest.fixture(scope="session")
def two_pieces(any_rules: Rules, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the tables of two pieces of one rule set; read only, please."""
    directory = tmp_path_factory.mktemp(f"two-{any_rules.key}")
    return write_database(directory, any_rules, naive_values(any_rules.key))


@pytest.fixture
def english_two(tmp_path: Path) -> Path:
    """A directory of English tables of two pieces that a test may damage."""
    return write_database(tmp_path / "db", RULE_SETS["english"], naive_values("english"))


@pytest.fixture(scope="session")
def english(english_directory: Path) -> Tablebase:
    """English tables of 2 and 3 pieces, opened."""
    return open_tablebase(english_directory, rules="english")
