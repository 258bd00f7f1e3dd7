"""Three-valued search and proof numbers: what they claim of 4 pieces, with tables of 3, is true."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from crownbase.board import Position
from crownbase.search import work as layout
from crownbase.search.attacker import Attacker
from crownbase.search.judge import judge_deeper, set_question
from crownbase.search.searcher import Searcher
from crownbase.search.worker import kernel_boards

Asked = tuple[Searcher, layout.Work]


def prepared(position: Position, view: Callable) -> Asked:
    """A searcher whose tables end at 3 pieces, and frames and a cache beside its own."""
    searcher = Searcher(position.rules, view(3), clock_limit=0)
    searcher.set_root(position, position.legal_moves(), (), inside=False)
    work = layout.make_work(14)._replace(slices=searcher.work.slices)
    for slot in (layout.TABLE_PIECES, layout.INNER):
        work.data[slot] = searcher.work.data[slot]
    return searcher, work


@pytest.mark.parametrize("holder", [0, 1])
def test_the_judge_is_never_wrong(view: Callable, samples: Callable, holder: int) -> None:
    """The tables of 4 pieces, by retrograde analysis, are the twin: they share no search."""
    answered = 0
    for position, code in samples(4, 150):
        if not position.legal_moves():
            continue
        searcher, work = prepared(position, view)
        set_question(work, *kernel_boards(position))
        limits = (np.int64(8), np.int64(20_000), np.int64(holder))
        found = judge_deeper(searcher.rules.traits, work, *limits)
        truth = (1 if code >= 0 else -1) if holder else (1 if code > 0 else -1)
        assert found in (0, truth), position.fen()
        answered += found != 0
    assert answered > 60


@pytest.mark.parametrize("mover_attacks", [True, False])
def test_proof_numbers_are_never_wrong(
    view: Callable, samples: Callable, mover_attacks: bool
) -> None:
    answered = 0
    for position, code in samples(4, 60):
        if not position.legal_moves():
            continue
        searcher, work = prepared(position, view)
        attacker = Attacker((searcher, work, position, lambda: False), mover_attacks, 1 << 20)
        attacker.work_on(100_000)
        truth = code > 0 if mover_attacks else code < 0
        if attacker.answer is not None:
            assert attacker.answer == truth, position.fen()
            answered += 1
    assert answered > 25
