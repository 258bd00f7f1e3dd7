"""From the planes to two bits a position, in the order of `crownbase.index`.

    code   0 = the side to move loses, 1 = draw, 2 = it wins, 3 = it can capture
    place  position i: bits 2 * (i & 31) of word i >> 5

Who must capture needs no stored value, so those positions get a code of their own where captures
are forced. For a row (the mover's men, the opposing men and kings fixed) they are

    men     not all landing squares of jumping men are occupied by own kings:  ~(t1 & t2 & ..)
    kings   s & ~t for a king on s that jumps to t, where t means "sets with a king on t";
            flying: s & ~(squares between s and the victim) & ~t

which are row operations, so they cost next to nothing for a position.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from crownbase.board.bits import lowest
from crownbase.jit import Address, kernel
from crownbase.retro.rows.context import Context
from crownbase.retro.rows.dense import dense_groups, place_bit, value_of
from crownbase.retro.rows.landing import jump_directions, near
from crownbase.retro.rows.rowops import (
    board_at,
    clear_row,
    copy_row,
    full_row,
    is_row,
    row_bits,
    row_containing,
    row_words_of,
    set_of_rank,
    sets_of,
    without_squares,
)
from crownbase.retro.rows.schedule import mirror
from crownbase.retro.rows.storage import Counts
from crownbase.retro.rows.tables import WALL, Array, aligned_words
from crownbase.retro.rows.vectors import vand, vandnot, vload, vor, vstore
from crownbase.retro.rows.words import load, load32, shift_left, shift_right, store

if TYPE_CHECKING:
    from crownbase.retro.rows.driver import RowSolver

FREE_CODE = 3
ALIGNED_GROUPS = 32
"""So many groups fill whole words, so that threads which start at multiples share none."""
CHUNKS_PER_THREAD = 16


class QuadsReader:
    """Reads solved slices out of a solver's planes, also while it solves others; thread-safe."""

    def __init__(self, solver: RowSolver, threads: int = 1) -> None:
        """Get scratch memory for so many threads."""
        self._solver = solver
        self._contexts = [solver.new_context() for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads)
        self._lock = threading.Lock()

    def read(self, counts: Counts) -> Array:
        """A solved slice as uint8[ceil(positions / 4)], codes as in the module's docstring."""
        a, k, c, b = counts
        oms, pms = dense_groups(a, c, self._solver.board)
        positions = self._solver.positions(counts)
        size = positions // len(oms)
        out = aligned_words(-(-positions // 32))
        share = -(-len(oms) // (CHUNKS_PER_THREAD * len(self._contexts)))
        step = -(-share // ALIGNED_GROUPS) * ALIGNED_GROUPS
        starts = iter(range(0, len(oms), step))

        def work(context: Context) -> None:
            # `next` on a range iterator is atomic under the interpreter lock.
            for first in starts:
                last = min(first + step, len(oms))
                run_quads(
                    context.address,
                    self._solver.traits,
                    oms.ctypes.data,
                    pms.ctypes.data,
                    first,
                    last,
                    k,
                    b,
                    size,
                    out.ctypes.data,
                )

        with self._lock:  # the scratch memory of the contexts
            for _ in self._pool.map(work, self._contexts):
                pass
        return out.view(np.uint8)[: -(-positions // 4)]

    def tally(self, counts: Counts) -> tuple[int, int, int]:
        """Wins, draws and losses of the side to move of a solved slice."""
        lost, held = (
            _bits_set(plane) for plane in self._solver.planes.slice_planes(mirror(counts))
        )
        return self._solver.positions(counts) - held, held - lost, lost

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown()


def _bits_set(words: Array) -> int:
    step = 1 << 20
    return sum(
        int(np.bitwise_count(words[i : i + step].view(np.uint64)).sum(dtype=np.int64))
        for i in range(0, len(words), step)
    )


@kernel
def man_landings(ctx: Address, rules: Any, om: int, victims: int, occupied: int) -> int:
    """Squares behind *victims* on which a jump of a man could end, own kings left aside."""
    landings = 0
    while victims:
        v = lowest(victims)
        victims &= victims - 1
        for d in range(jump_directions(rules, 0)):
            t = near(ctx, v, d)
            if (occupied >> t) & 1 == 0 and (om >> near(ctx, v, 3 - d)) & 1:
                landings |= 1 << t
    return landings


@kernel
def king_jumps_board(ctx: Address, rules: Any, victims: int, occupied: int) -> int:
    """Squares from which ONE king could take one of *victims*; no other own kings."""
    sources = 0
    while victims:
        v = lowest(victims)
        victims &= victims - 1
        for d in range(4):
            if (occupied >> near(ctx, v, d)) & 1:
                continue
            s = near(ctx, v, 3 - d)
            while (occupied >> s) & 1 == 0:
                sources |= 1 << s
                if not rules.flying_kings:
                    break
                s = near(ctx, s, 3 - d)
    return sources


@kernel
def add_king_jumps(
    ctx: Address, rules: Any, row: int, clear: int, k: int, victims: int, occupied: int
) -> None:
    """row |= sets of k own kings one of which can take one of *victims*.

    *clear*: scratch row, the sets without a king on the squares between and behind.
    """
    words = row_words_of(ctx, k)
    while victims:
        v = lowest(victims)
        victims &= victims - 1
        for d in range(4):
            t = near(ctx, v, d)
            if (occupied >> t) & 1:
                continue
            s = near(ctx, v, 3 - d)
            barred = row_containing(ctx, k, t)
            if (occupied >> s) & 1 == 0 and rules.flying_kings:
                copy_row(clear, barred, words)
                barred = clear
            while (occupied >> s) & 1 == 0:
                here = row_containing(ctx, k, s)
                for w in range(0, words, 8):
                    found = vandnot(vload(here, w), vload(barred, w))
                    vstore(row, w, vor(vload(row, w), found))
                if not rules.flying_kings:
                    break
                for w in range(0, words, 8):
                    vstore(clear, w, vor(vload(clear, w), vload(here, w)))
                s = near(ctx, s, 3 - d)


@kernel
def add_man_jumps(ctx: Address, row: int, kept: int, k: int, landings: int) -> None:
    """row |= sets of k kings that leave one of *landings* free; *kept*: scratch row."""
    if landings == 0:
        return
    words = row_words_of(ctx, k)
    full_row(ctx, kept, k)
    while landings:
        t = lowest(landings)
        landings &= landings - 1
        here = row_containing(ctx, k, t)
        for w in range(0, words, 8):
            vstore(kept, w, vand(vload(kept, w), vload(here, w)))
    for w in range(words):
        store(row, w, load(row, w) | (load(kept, w) ^ -1))


@kernel
def put_code(out: int, place: int, word: int, code: int) -> int:
    """Add a code to the growing *word* of position *place*; stores it when it is full."""
    word |= shift_left(code, 2 * (place & 31))
    if place & 31 == 31:
        store(out, place >> 5, word)
        return 0
    return word


@kernel
def code_at(loses: int, holds: int, bit: int) -> int:
    """The code of bit number *bit*: a loss 0, a draw 1, a win 2."""
    return 1 + value_of(loses, holds, bit)


@kernel
def quads_of_boards(
    ctx: Address, rules: Any, om: int, pm: int, k: int, b: int, out: int, place: int, word: int
) -> int:
    """One group of a mover without kings, or with one on a packed board; as `quads_of_rows`."""
    loses = ctx.loses
    holds = ctx.holds
    men = om | pm
    first = place_bit(ctx, om, pm, k, b)
    turned = load(ctx.turned, b)
    for r in range(sets_of(ctx, b)):
        pk = set_of_rank(ctx, b, r)
        if pk & men:
            continue
        captures = 0
        if rules.captures_mandatory:
            occupied = men | pk | WALL
            victims = pm | pk if rules.men_capture_kings else pm
            landings = man_landings(ctx, rules, om, victims, occupied)
            captures = king_jumps_board(ctx, rules, pm | pk, occupied) if k else 0
            if landings & (landings - 1):
                captures = -1  # one king cannot block two squares
            elif landings:
                captures |= ~landings if k else -1
        if k == 0:
            code = FREE_CODE if captures else code_at(loses, holds, first + r)
            word = put_code(out, place, word, code)
            place += 1
            continue
        row = first + load32(turned, r) * 32
        rest = ~(men | pk) & 0xFFFFFFFF
        while rest:
            s = lowest(rest)
            rest &= rest - 1
            code = FREE_CODE if (captures >> s) & 1 else code_at(loses, holds, row + 31 - s)
            word = put_code(out, place, word, code)
            place += 1
    return word


@kernel
def quads_of_rows(
    ctx: Address, rules: Any, om: int, pm: int, k: int, b: int, out: int, place: int, word: int
) -> int:
    """One group of a mover with rows of k kings, from position *place* on.

    *word*: the codes before it in its word; returns those of the word that is still to be stored.
    """
    loses = ctx.loses
    holds = ctx.holds
    men = om | pm
    first = place_bit(ctx, om, pm, k, b)
    turned_b = load(ctx.turned, b)
    turned_k = load(ctx.turned, k)
    words = row_words_of(ctx, k)
    open_own = ctx.group_rows
    jumps = ctx.open_rows
    spare = jumps + ctx.slot_bytes
    allowed = ctx.row_a
    full_row(ctx, open_own, k)
    without_squares(ctx, open_own, open_own, k, men)
    for r in range(sets_of(ctx, b)):
        pk = set_of_rank(ctx, b, r)
        if pk & men:
            continue
        without_squares(ctx, allowed, open_own, k, pk)
        clear_row(jumps, words)
        if rules.captures_mandatory:
            occupied = men | pk | WALL
            victims = pm | pk if rules.men_capture_kings else pm
            landings = man_landings(ctx, rules, om, victims, occupied)
            add_man_jumps(ctx, jumps, spare, k, landings)
            add_king_jumps(ctx, rules, jumps, spare, k, pm | pk, occupied)
        row = first + load32(turned_b, r) * row_bits(ctx, k)
        for w in range(words):
            rest = load(allowed, w)
            free = load(jumps, w)
            while rest:
                i = lowest(rest)
                rest &= rest - 1
                code = FREE_CODE
                if shift_right(free, i) & 1 == 0:
                    code = code_at(loses, holds, row + load32(turned_k, w * 64 + i))
                word = put_code(out, place, word, code)
                place += 1
    return word


@kernel
def run_quads(
    ctx: Address,
    rules: Any,
    oms: int,
    pms: int,
    first: int,
    last: int,
    k: int,
    b: int,
    group_size: int,
    out: int,
) -> int:
    """A range of groups, in dense order, of *group_size* positions each, to the words at *out*.

    *first* is a multiple of ALIGNED_GROUPS. Returns the number of positions.
    """
    word = 0
    for i in range(first, last):
        om = board_at(ctx, oms, i)
        pm = board_at(ctx, pms, i)
        place = i * group_size
        if k >= 1 and is_row(ctx, k):
            word = quads_of_rows(ctx, rules, om, pm, k, b, out, place, word)
        else:
            word = quads_of_boards(ctx, rules, om, pm, k, b, out, place, word)
    end = last * group_size
    if end & 31:
        store(out, end >> 5, word)
    return (last - first) * group_size
