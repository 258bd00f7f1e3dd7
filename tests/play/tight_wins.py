"""Wins under a tight clock, played out in kernels against a defender that wants a draw.

One phase is played, up to the conversion: what comes after it is a won position with its clock at
0 and without a past, so it is another start. Values lie in arrays, and every position is stored:
for rule sets in which nobody must capture. The winner's rule of choice is written down here a
second time; it shares no code with ``probe.ranking`` and ``probe.past``.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from crownbase.board.bits import popcount
from crownbase.board.moves import (
    CAPTURED,
    FIELDS,
    FROM,
    KING_BEFORE,
    MAX_MOVES,
    TO,
    legal_moves,
    play,
)
from crownbase.index import Material
from crownbase.index.position import SLICE_NUMBERS, rank_position, slice_number, unrank_position
from crownbase.jit import kernel
from crownbase.retro.values import CURSED, LOST_NOW, distance, is_cursed

WON, CLOCK_OUT, REPEATED, SPOILT = 0, 1, 2, 3
"""How a phase ends: with a conversion that keeps the win; robbed, in three ways."""

RANDOM, LONGEST, REPEATING, LOOKING = 0, 1, 2, 3
"""Defenders: any move; longest DTC; back to what has been; so that the winner's own next move,
too, goes to what has been (it knows the rule of choice). The last two, if nothing comes back, play
the longest DTC."""
DEFENDERS = (RANDOM, LONGEST, REPEATING, LOOKING)

TIMES = 3
"""The occurrence that is a draw."""

_STEP = 4  # boards of a position


class Field(NamedTuple):
    """Values and the memory of a game, as lists or arrays of int64 (codes: int16)."""

    dtc: Any  # codes of all slices, one after another
    dtw: Any
    first: Any  # by slice number: where its codes begin, -1 = not here
    moves: Any  # three buffers of moves: winner's, defender's, winner's seen from the defender
    state: Any
    past: Any  # boards of the positions of this phase, each in its mover's frame
    chance: Any  # state of a random generator


def neighbours(sides: Iterable[Material]) -> list[Material]:
    """These slices and all that one move leads to from them."""
    found = set(sides)
    for side in sides:
        a, k, c, b = side.counts
        for c2, b2, crowned in product(range(c + 1), range(b + 1), (0, 1) if a else (0,)):
            if c2 + b2:
                found.add(Material(c2, b2, a - crowned, k + crowned))
    return sorted(found, key=lambda side: side.number)


def make_field(
    codes: dict[str, dict[Material, np.ndarray]], sides: list[Material], plain: bool
) -> Field:
    """The field of these slices, both metrics."""
    first = np.full(SLICE_NUMBERS, -1, np.int64)
    at = 0
    for side in sides:
        first[slice_number.plain(*side.counts)] = at
        at += len(codes["dtc"][side])
    joined = [np.concatenate([codes[metric][side] for side in sides]) for metric in ("dtc", "dtw")]
    room = (MAX_MOVES * FIELDS, MAX_MOVES * FIELDS, MAX_MOVES * FIELDS)
    arrays = [first, *(np.zeros(size, np.int64) for size in (3, 256 * _STEP, 1))]
    buffers = tuple(np.zeros(size, np.int64) for size in room)
    if plain:
        buffers = tuple(buffer.tolist() for buffer in buffers)
        arrays = [array.tolist() for array in arrays]
    return Field(*joined, arrays[0], buffers, *arrays[1:])


@kernel
def code_of(rules: Any, codes: Any, first: Any, om: int, ok: int, pm: int, pk: int) -> int:
    """The value code of a position for its side to move."""
    if om | ok == 0:
        return LOST_NOW
    at = first[slice_number(popcount(om), popcount(ok), popcount(pm), popcount(pk))]
    return int(codes[at + rank_position(rules, om, ok, pm, pk)])


@kernel
def occurrences(f: Field, seen: int, om: int, ok: int, pm: int, pk: int, parity: int) -> int:
    """How often a position is among the *seen* ones; *parity*: whose move it is in them."""
    count = 0
    for i in range(parity, seen, 2):
        at = i * _STEP
        if f.past[at] == om and f.past[at + 1] == ok:
            if f.past[at + 2] == pm and f.past[at + 3] == pk:
                count += 1
    return count


@kernel
def remember(f: Field, seen: int, om: int, ok: int, pm: int, pk: int) -> int:
    """Add a position to the past; returns how often it has occurred now."""
    at = seen * _STEP
    f.past[at], f.past[at + 1], f.past[at + 2], f.past[at + 3] = om, ok, pm, pk
    return occurrences(f, seen + 1, om, ok, pm, pk, seen & 1)


@kernel
def converts(buffer: Any, i: int) -> bool:
    """Whether move i restarts the clock: a capture or a man's move."""
    return buffer[i * FIELDS + CAPTURED] != 0 or buffer[i * FIELDS + KING_BEFORE] == 0


@kernel
def choose(
    rules: Any, f: Field, which: int, boards: tuple[int, int, int, int], seen: int, mode: int
) -> int:
    """The winner's move in buffer *which*, -1 if none keeps the win.

    *mode*: plies on the clock + 1024 * limit + 2^20 if a position has come twice + 2^21 if Black
    moves. Of two equal moves the one with the lower numbers on the board.
    """
    clock, limit = mode & 1023, (mode >> 10) & 1023
    repeated, black = (mode >> 20) & 1, (mode >> 21) & 1
    om, ok, pm, pk = boards
    buffer = f.moves[which]
    best, best_key = -1, 0
    for i in range(legal_moves(rules, om, ok, pm, pk, buffer, f.state)):
        a, b, c, d = play(rules, om, ok, pm, pk, buffer, i)
        code = code_of(rules, f.dtc, f.first, a, b, c, d)
        if code >= 0 or is_cursed(code):
            continue
        conversion = converts(buffer, i)
        plies = 1 if conversion else distance(code) + 1
        if code != LOST_NOW and clock + plies > limit:
            continue
        times = occurrences(f, seen, a, b, c, d, seen & 1)
        if times >= TIMES - 1:
            continue
        to_end = distance(code_of(rules, f.dtw, f.first, a, b, c, d)) + 1
        near, far = (plies, to_end) if repeated else (to_end, plies)
        start, end = buffer[i * FIELDS + FROM], buffer[i * FIELDS + TO]
        if black:
            start, end = rules.n_squares - 1 - start, rules.n_squares - 1 - end
        key = ((near * 1024 + far) * 8 + 2 * times + (0 if conversion else 1)) * 4096
        key += start * 64 + end
        if best < 0 or key < best_key:
            best, best_key = i, key
    return best


@kernel
def random_below(f: Field, n: int) -> int:
    """A random number from 0 to n - 1 (a linear congruential generator)."""
    f.chance[0] = (f.chance[0] * 1103515245 + 12345) & 0x7FFFFFFF
    return (f.chance[0] >> 8) % n


@kernel
def defend(
    rules: Any, f: Field, boards: tuple[int, int, int, int], seen: int, mode: int, defender: int
) -> int:
    """The defender's move in buffer 1, -1 if there is none."""
    om, ok, pm, pk = boards
    buffer = f.moves[1]
    n = legal_moves(rules, om, ok, pm, pk, buffer, f.state)
    if n == 0:
        return -1
    if defender == RANDOM:
        return random_below(f, n)
    best, best_merit = -1, 0
    for i in range(n):
        a, b, c, d = play(rules, om, ok, pm, pk, buffer, i)
        code = code_of(rules, f.dtc, f.first, a, b, c, d)
        merit = distance(code) * 16 + random_below(f, 16)
        if converts(buffer, i):
            merit = random_below(f, 16)
        elif defender != LONGEST:
            merit += 1 << 16 if occurrences(f, seen, a, b, c, d, seen & 1) > 0 else 0
            if defender == LOOKING:
                reply = choose(rules, f, 2, (a, b, c, d), seen, mode ^ (1 << 21))
                if reply >= 0 and not converts(f.moves[2], reply):
                    e, g, h, j = play(rules, a, b, c, d, f.moves[2], reply)
                    merit += (1 << 17) * occurrences(f, seen, e, g, h, j, 1 - (seen & 1))
        if best < 0 or merit > best_merit:
            best, best_merit = i, merit
    return best


@kernel
def play_phase(
    rules: Any, f: Field, boards: tuple[int, int, int, int], mode: int, defender: int, latch: int
) -> int:
    """How a phase ends that the winner begins; *mode* as in ``choose``.

    *latch* 0: the winner goes on by DTW whatever has been repeated, as it once did. Returns one of
    WON, CLOCK_OUT, REPEATED, SPOILT, plus 4 if a position came twice.
    """
    seen = 0
    remember(f, seen, *boards)
    seen += 1
    repeated = 0
    while True:
        winner = seen & 1
        now = mode | (repeated * latch << 20)
        i = choose(rules, f, 0, boards, seen, now) if winner else -1
        if winner == 0:
            i = defend(rules, f, boards, seen, now, defender)
        if i < 0:
            return (SPOILT if winner else WON) + 4 * repeated
        buffer = f.moves[0 if winner else 1]
        conversion = converts(buffer, i)
        boards = play(rules, *boards, buffer, i)
        mode = (mode + 1) ^ (1 << 21)
        if conversion:
            code = code_of(rules, f.dtc, f.first, *boards)
            kept = (code < 0 if winner else code > 0) and not is_cursed(code)
            return (WON if kept else SPOILT) + 4 * repeated
        times = remember(f, seen, *boards)
        seen += 1
        if times >= TIMES:
            return REPEATED + 4
        if times == 2:
            repeated = 1
        # A win on the last ply stands: then the side to move has none left.
        if (mode & 1023) >= (mode >> 10) & 1023:
            lost = code_of(rules, f.dtc, f.first, *boards) == LOST_NOW
            return (WON if winner and lost else CLOCK_OUT) + 4 * repeated


@kernel
def play_slice(
    rules: Any,
    f: Field,
    side: tuple[int, int, int, int],
    part: tuple[int, int, int],
    limit: int,
    latch: int,
    found: Any,
) -> None:
    """Play the tight wins of a slice's indices *part* (start, end, step).

    A win is tight if its DTW is more than the plies that are left on the clock, so that the way of
    the shortest DTW may break it. It is looked at with the clock at 0, at the most plies that leave
    it won, and at some number between, and played against every defender. *found* counts: games
    that ended as WON .. SPOILT, games in which a position came twice.
    """
    base = f.first[slice_number(*side)]
    for index in range(part[0], part[1], part[2]):
        code = int(f.dtc[base + index])
        if code <= 0 or code >= CURSED:
            continue
        boards = unrank_position(rules, index, *side)
        for k in range(3):
            clock = (0, limit - code, random_below(f, limit - code + 1))[k]
            if int(f.dtw[base + index]) + clock <= limit:
                continue
            for defender in range(4):
                mode = clock | limit << 10 | random_below(f, 2) << 21
                end = play_phase(rules, f, boards, mode, defender, latch)
                found[end & 3] += 1
                found[4] += end >> 2
