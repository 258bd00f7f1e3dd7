"""The glossary names code that is there."""

from __future__ import annotations

import importlib
import re

import pytest

from conftest import SOURCE

TEXT = (SOURCE / "docs" / "glossary.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`(crownbase\.[\w.]+)`", TEXT))))
def test_names_of_the_glossary_exist(path: str) -> None:
    module, _, name = path.rpartition(".")
    try:
        importlib.import_module(path)
    except ModuleNotFoundError:
        assert hasattr(importlib.import_module(module), name)


def test_a_word_is_explained_once() -> None:
    words = [
        word for line in re.findall(r"^- \*\*(.+?)\*\*", TEXT, re.M) for word in line.split(", ")
    ]
    assert len(words) > 40
    assert len(words) == len(set(words))
