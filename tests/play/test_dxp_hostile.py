"""Random bytes for a DamExchange session: every answer is a message, and nothing ends it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from crownbase.board import Position
from crownbase.play.dxp import Session
from crownbase.play.dxp_text import LONGEST_MESSAGE, as_bytes, write_move
from crownbase.play.player import Choice, Player
from crownbase.rules import find_rules
from crownbase.search import SearchResult

RULES = find_rules("international")
REQUEST = "R01" + f"{'Tester':<32}" + "W005100A"


class Quick(Player):
    """Any move at once; likes draws as chance has it."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(RULES, level=1, compiled=False)
        self._rng = rng

    def choose(self, position: Position, *rest: Any, **named: Any) -> Choice:
        move = self._rng.choice(position.legal_moves())
        return Choice(move, "search", SearchResult(0.0, None, move, (move,)))

    def accepts_draw(self, position: Position, side: str, history: Any = ()) -> bool:
        return self._rng.random() < 0.5


def random_message(rng: random.Random, position: Position | None) -> bytes:
    """A message that is right, nearly right, or none at all."""
    kind = rng.random()
    if kind < 0.1:
        return rng.randbytes(rng.choice((0, 1, 5, 127, 128, 1000)))
    if kind < 0.45 and position is not None and position.legal_moves():
        text = write_move(rng.choice(position.legal_moves()), rng.randrange(10_000))
    elif kind < 0.55:
        squares = "".join(rng.choices("wWzZe", (2, 1, 2, 1, 12), k=50))
        begin = rng.choice(("A", "BW" + squares, "BZ" + squares, "B", "C"))
        numbers = "".join(rng.choices("0123456789", k=6))
        text = f"R0{rng.choice('1112')}{'x' * 32}{rng.choice('WZX')}{numbers}{begin}"
    elif kind < 0.6:
        text = "E" + rng.choice("0123x") + rng.choice("0000002")
    else:
        text = rng.choice(
            ("A", f"A{'x' * 32}0", "B001W", "K0", "Cdraw?", "Chello", "M", "M0000", "E", "", "X")
        )
    message = bytearray(text.encode("ascii"))
    while message and rng.random() < 0.2:
        message[rng.randrange(len(message))] = rng.randrange(256)
    return bytes(message)


def fuzz(seed: int, messages: int) -> None:
    rng = random.Random(seed)
    player = Quick(rng)
    heard: list[bytes] = []
    reports: list[str] = []
    session = Session(lambda: player, heard.append, reports.append, gap=0)
    waiting = b""
    for _ in range(messages):
        position = session._game.position if session._game is not None else None
        waiting += random_message(rng, position).replace(b"\0", b"\1") + b"\0"
        if rng.random() < 0.7:  # else it arrives with the next one
            cut = rng.randrange(len(waiting))
            for part in (waiting[:cut], waiting[cut:]):
                if not session.receive(part):  # chance has made a stop code of a byte
                    session = Session(lambda: player, heard.append, reports.append, gap=0)
            waiting = b""
            assert len(session._inbox._kept) <= LONGEST_MESSAGE + 1
    for answer in heard:
        assert answer.endswith(b"\0") and 2 <= len(answer) <= LONGEST_MESSAGE + 1
        assert answer.count(b"\0") == 1 and max(answer) < 128
        assert answer[:1] in (b"A", b"M", b"E", b"C", b"K")
    assert all(line.isascii() and line.isprintable() for line in reports)
    heard.clear()
    session.receive(waiting + as_bytes(REQUEST))
    assert heard[-2][33:34] == b"0" and heard[-1][:1] == b"M"


def test_thousands_of_random_messages() -> None:
    fuzz(seed=1, messages=3000)


@pytest.mark.slow
def test_hundreds_of_thousands_of_random_messages() -> None:
    for seed in range(2, 32):
        fuzz(seed, messages=10_000)
