"""Verify solved slices by forward moves.

Every stored value must be the best over the values of its successors, and every distance one more
than the right successor's. A win needs a successor that is lost one ply sooner, down to a finished
game or a conversion, so no false win or loss can support itself; and a draw needs a drawn
successor and no winning one. Together that proves a slice, given the smaller ones.

This file shares nothing with the solvers, nor with the move generator that they use: a plain
board of cells, moves made and taken back, captures searched twice (first for the best key, then
for the results). Only the numbering of positions is the same; tests prove it a bijection.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from crownbase.errors import MissingTableError
from crownbase.index import Material
from crownbase.index.position import SLICE_NUMBERS, rank_position, slice_number, unrank_position
from crownbase.jit import kernel
from crownbase.retro.values import CURSED, UNLIMITED, load_code
from crownbase.rules import Rules, find_rules

_EMPTY, _OWN_MAN, _OWN_KING, _MAN, _KING, _TAKEN = 0, 1, 2, 3, 4, 5  # what a cell holds
_PASS, _BEST_KEY, _MOVES, _RESULT = 0, 1, 2, 3  # slots of ``note``
_FIND_KEY, _LOOK_UP = 0, 1  # values of note[_PASS]


class _Check(NamedTuple):
    """What the kernels below know of a check.

    Attributes:
        addresses: int64[SLICE_NUMBERS], address in bytes of the int16 values of each slice.
        limit: the draw clock in plies.
        adds: distances go on through conversions (DTW).
        cells: int64[squares], what each square holds.
        note: int64[4], see the slots above.
    """

    addresses: np.ndarray
    limit: int
    adds: bool
    cells: np.ndarray
    note: np.ndarray


@kernel
def _score(code: int) -> int:
    """Order of value codes for the side that chooses: higher is better."""
    plies = code if code >= 0 else -1 - code
    cursed = plies >= CURSED
    if cursed:
        plies -= CURSED
    if code > 0:
        return (20_000 if cursed else 40_000) - plies
    if code < 0:
        return (-20_000 if cursed else -40_000) + plies
    return 0


@kernel
def _seen_from_before(code: int, conversion: bool, limit: int) -> int:
    """The value that a move has for the mover if the opponent then has *code*."""
    if code == 0:
        return 0
    plies = code if code > 0 else -1 - code
    cursed = plies >= CURSED
    if cursed:
        plies -= CURSED
    plies = 1 if conversion else plies + 1
    if cursed or plies > limit:
        plies += CURSED
    return -1 - plies if code > 0 else plies


@kernel
def _value_of(rules: Any, check: Any) -> int:
    """The stored value of the board in the cells for the OTHER side, which moves next."""
    om, ok, pm, pk = 0, 0, 0, 0
    own, other = 0, 0
    n = rules.n_squares
    for s in range(n):
        cell = check.cells[s]
        bit = 1 << (n - 1 - s)
        if cell == _MAN:
            om |= bit
            own += 1
        elif cell == _KING:
            ok |= bit
            own += 1 << 8
        elif cell == _OWN_MAN:
            pm |= bit
            other += 1
        elif cell == _OWN_KING:
            pk |= bit
            other += 1 << 8
    if own == 0:
        return -1
    if rules.lone_pieces_draw and own in (1, 256) and other in (1, 256):
        return 0
    number = slice_number(own & 255, own >> 8, other & 255, other >> 8)
    return load_code(check.addresses[number], rank_position(rules, om, ok, pm, pk))


@kernel
def _note_move(rules: Any, check: Any, conversion: bool) -> None:
    note = check.note
    result = _seen_from_before(_value_of(rules, check), conversion, check.limit)
    if note[_MOVES] == 0 or _score(result) > _score(note[_RESULT]):
        note[_RESULT] = result
    note[_MOVES] += 1


@kernel
def _jump_over(rules: Any, cells: Any, s: int, d: int, king: bool, last: int) -> int:
    """Where the piece stands that can be taken from s in direction d; -1 = none."""
    if last >= 0 and last + d == 3 and not rules.about_turn:
        return -1
    over = rules.neighbour[4 * s + d]
    if king and rules.flying_kings:
        while over >= 0 and cells[over] == _EMPTY:
            over = rules.neighbour[4 * over + d]
    if over < 0 or (cells[over] != _MAN and cells[over] != _KING):
        return -1
    if cells[over] == _KING and not king and not rules.men_capture_kings:
        return -1
    behind = rules.neighbour[4 * over + d]
    return over if behind >= 0 and cells[behind] == _EMPTY else -1


@kernel
def _jumps(rules: Any, cells: Any, s: int, king: bool, last: int) -> int:
    """In how many directions something can be taken from s."""
    found = 0
    for d in range(4 if king else rules.man_captures):
        if _jump_over(rules, cells, s, d, king, last) >= 0:
            found += 1
    return found


@kernel
def _end_chain(rules: Any, check: Any, s: int, king: bool, key: int) -> None:
    cells, note = check.cells, check.note
    if note[_PASS] == _FIND_KEY:
        note[_BEST_KEY] = max(note[_BEST_KEY], key)
        return
    if key == note[_BEST_KEY]:
        cells[s] = _OWN_KING if king or s < rules.width else _OWN_MAN
        _note_move(rules, check, not check.adds)
        cells[s] = _EMPTY


@kernel
def _chain(rules: Any, check: Any, s: int, king: bool, key: int, last: int) -> None:
    """All ways on from s, where the moving piece stands (it is not in the cells)."""
    cells = check.cells
    for d in range(4 if king else rules.man_captures):
        over = _jump_over(rules, cells, s, d, king, last)
        if over < 0:
            continue
        victim = cells[over]
        cells[over] = _EMPTY if rules.leave_at_once else _TAKEN
        key2 = _longer_key(rules, key, victim == _KING)
        behind = rules.neighbour[4 * over + d]
        if king and rules.flying_kings:
            some_go_on = False
            land = behind
            while land >= 0 and cells[land] == _EMPTY:
                if _jumps(rules, cells, land, True, d) > 0:
                    some_go_on = True
                land = rules.neighbour[4 * land + d]
            land = behind
            while land >= 0 and cells[land] == _EMPTY:
                if _jumps(rules, cells, land, True, d) > 0:
                    # Not the literal True: see ``captures`` in board.moves.
                    _chain(rules, check, land, king, key2, d)
                elif rules.free_landing or not some_go_on:
                    _end_chain(rules, check, land, True, key2)
                land = rules.neighbour[4 * land + d]
        else:
            arrives = not king and behind < rules.width
            crowned = king or (arrives and rules.promotion == 1)
            stops = arrives and rules.promotion == 0
            if not stops and _jumps(rules, cells, behind, crowned, d) > 0:
                _chain(rules, check, behind, crowned, key2, d)
            else:
                _end_chain(rules, check, behind, crowned, key2)
        cells[over] = victim


@kernel
def _longer_key(rules: Any, key: int, takes_king: bool) -> int:
    """Digits: pieces (x 10**9), begun by a king (x 10**8), kings taken (x 10**6), order (below)."""
    order = key % 1_000_000
    key -= order
    if rules.kings_first:
        order = 2 * order + (1 if takes_king else 0)
    if rules.most_kings and takes_king:
        key += 1_000_000
    if rules.most_pieces:
        key += 1_000_000_000
    return key + order


@kernel
def _all_captures(rules: Any, check: Any) -> None:
    cells = check.cells
    for step in range(2):
        check.note[_PASS] = step
        for s in range(rules.n_squares):
            piece = cells[s]
            if piece != _OWN_MAN and piece != _OWN_KING:
                continue
            king = piece == _OWN_KING
            if _jumps(rules, cells, s, king, -1) > 0:
                start = np.int64(-1)
                key = start + (100_000_001 if rules.with_king and king else 1)
                cells[s] = _EMPTY
                _chain(rules, check, s, king, key, start)
                cells[s] = piece


@kernel
def _all_quiet_moves(rules: Any, check: Any) -> None:
    cells = check.cells
    for s in range(rules.n_squares):
        piece = cells[s]
        if piece != _OWN_MAN and piece != _OWN_KING:
            continue
        king = piece == _OWN_KING
        for d in range(4 if king else rules.man_moves):
            t = rules.neighbour[4 * s + d]
            while t >= 0 and cells[t] == _EMPTY:
                cells[s] = _EMPTY
                cells[t] = _OWN_KING if king or t < rules.width else _OWN_MAN
                sideways = rules.sideways_men and (d == 1 or d == 2)
                conversion = rules.man_moves_convert and not (king or sideways or check.adds)
                _note_move(rules, check, conversion)
                cells[s] = piece
                cells[t] = _EMPTY
                t = rules.neighbour[4 * t + d] if king and rules.flying_kings else -1


@kernel
def _expected(rules: Any, check: Any) -> int:
    note = check.note
    note[_BEST_KEY] = -1
    note[_MOVES] = 0
    note[_RESULT] = 0
    _all_captures(rules, check)
    if note[_MOVES] == 0 or not rules.captures_mandatory:
        _all_quiet_moves(rules, check)
    return note[_RESULT] if note[_MOVES] > 0 else -1


@kernel
def _first_wrong(
    rules: Any, counts: tuple[int, int, int, int], first: int, last: int, values: Any, check: Any
) -> int:
    """The first index from *first* to *last* - 1 whose value is wrong, -1 if there is none."""
    a, k, c, b = counts
    cells = check.cells
    for index in range(first, last):
        om, ok, pm, pk = unrank_position(rules, index, a, k, c, b)
        for s in range(rules.n_squares):
            cells[s] = _EMPTY
            if (om >> s) & 1:
                cells[s] = _OWN_MAN
            elif (ok >> s) & 1:
                cells[s] = _OWN_KING
            elif (pm >> s) & 1:
                cells[s] = _MAN
            elif (pk >> s) & 1:
                cells[s] = _KING
        if _expected(rules, check) != values[index]:
            return index
    return -1


@dataclass(frozen=True)
class Fault:
    """A position whose stored value does not follow from its successors.

    Attributes:
        material, index: where it is.
        found, expected: value codes (``retro.values``).
    """

    material: Material
    index: int
    found: int
    expected: int


def check_slice(
    rules: str | Rules,
    material: Material,
    store: dict[Material, np.ndarray],
    metric: str = "dtc",
    quiet_limit: int | None = None,
    first: int = 0,
    last: int | None = None,
) -> Fault | None:
    """Verify the positions first..last-1 of one slice by forward moves; None if all are right.

    Args:
        rules: the rule set.
        material: the slice, the side to move on the left.
        store: int16 value codes of this slice, its mirror and every slice it depends on.
        metric: ``dtc`` or ``dtw``.
        quiet_limit: the draw clock in plies that the values were solved with.
        first, last: a part of the slice; all of it by default.

    Raises:
        MissingTableError: the store lacks a slice that is needed.
    """
    rules = find_rules(rules)
    needed = {material, material.mirror}
    needed |= {side for pair in material.dependencies() for side in pair.pair}
    addresses = np.zeros(SLICE_NUMBERS, np.int64)
    for side in needed:
        if side not in store:
            raise MissingTableError(f"verifying {material} needs the values of {side}")
        addresses[side.number] = store[side].ctypes.data
    values = store[material]
    if rules.lone_pieces_draw and material.pieces == 2:
        wrong = np.flatnonzero(values[first:last])
        return (
            Fault(material, first + int(wrong[0]), int(values[first + wrong[0]]), 0)
            if (len(wrong))
            else None
        )
    adds = metric == "dtw"
    limit = UNLIMITED if adds or quiet_limit is None else quiet_limit
    cells, note = np.zeros(rules.board.n_squares, np.int64), np.zeros(4, np.int64)
    check = _Check(addresses, limit, adds, cells, note)
    end = len(values) if last is None else last
    index = _first_wrong(rules.traits, material.counts, first, end, values, check)
    if index < 0:
        return None
    expected = _expected(rules.traits, check)
    return Fault(material, int(index), int(values[index]), int(expected))
