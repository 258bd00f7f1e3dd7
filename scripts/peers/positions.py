"""Random positions, and legal moves of crownbase in the form in which they are compared."""

from __future__ import annotations

import json
import random

import crownbase as cb
from crownbase.play.hub_text import Dialect

Move = tuple[int, int, tuple[int, ...], str]
"""(from, to, taken squares in ascending order, Hub position after the move)."""

Moves = frozenset[Move]


def legal_moves(rules: str, text: str) -> Moves:
    """The legal moves of a Hub position by crownbase."""
    hub = Dialect(cb.find_rules(rules))
    position = hub.read_position(text)
    return frozenset(
        (move.start, move.end, move.captured, hub.write_position(position.play(move)))
        for move in position.legal_moves()
    )


def parse_moves(line: str) -> Moves:
    """The moves that a package's script wrote."""
    return frozenset((start, end, tuple(taken), after) for start, end, taken, after in
                     json.loads(line))  # fmt: skip


def random_positions(rules: str, count: int, seed: int) -> list[str]:
    """Different Hub positions, half from random games, half random set-ups of 2 to 14 pieces."""
    rng = random.Random(f"{rules} {seed}")
    hub = Dialect(cb.find_rules(rules))
    found: dict[str, None] = {}
    while len(found) < count // 2:
        position = cb.Position.start(rules)
        while (moves := position.legal_moves()) and rng.random() > 0.01:
            found[hub.write_position(position)] = None
            position = position.play(rng.choice(moves))
    found = dict.fromkeys(rng.sample(list(found), count // 2))
    while len(found) < count:
        position = _set_up(hub.rules, rng)
        if not position.is_lone_pieces_draw:  # over: there is nothing to compare
            found[hub.write_position(position)] = None
    return list(found)


def _set_up(rules: cb.Rules, rng: random.Random) -> cb.Position:
    n, width = rules.board.n_squares, rules.board.width
    boards = {"w": 0, "W": 0, "b": 0, "B": 0}
    share_of_kings, share_of_white = rng.random(), rng.uniform(0.2, 0.8)
    for square in rng.sample(range(n), rng.randint(2, 14)):
        colour = "w" if rng.random() < share_of_white else "b"
        crowned = square < width if colour == "w" else square >= n - width
        king = crowned or rng.random() < share_of_kings
        boards[colour.upper() if king else colour] |= 1 << square
    return cb.Position(rules, rng.choice("WB"), *boards.values())
