"""What kernels read through their first arguments: the words of a context, a side and a clock.

Every word is an int64. Where a text says "address", it is that of memory which the context, the
side or all threads share; "bytes" and "words" (of 8 bytes) say what an offset there counts.
Sizes are run-time data here, never constants of compiled code, so that one compilation serves
every number of pieces; only the board is compiled in: its facts (`tables.Board`) are attributes
of a context's address, too. A context belongs to one thread; planes and tables are shared.
"""

from __future__ import annotations

from crownbase.jit import Record, record_at


class ContextWords(Record):
    """A thread's context."""

    # The two bit planes of all slices (see storage.py); of scores, those of the group at work.
    loses: int
    """Address of the plane LOSES."""
    holds: int
    """Address of the plane HOLDS."""

    # Where slices and groups lie in the planes (see storage.py).
    slice_base: int
    """Address of int64[slice number]: bytes from the start of a plane (scores: address)."""
    group_stride: int
    """Address of int64[kings, opposing kings]: bytes from one group to the next."""
    group_offset: int
    """Address of int64[]: the first group number of every placement of the own men."""
    group_pair: int
    """Address of int64[own men, opposing men]: where `group_offset` begins for them, in words."""
    rank_low: int
    """Address of int32[65536], see `tables.rank_halves`."""
    rank_high: int
    """Address of int32[17, 65536], likewise."""

    # Geometry, see `tables.neighbours`.
    near: int
    """Address of int32[63, 4]: next squares."""
    far: int
    """Address of int32[63, 4]: the squares behind them."""
    near_sets: int
    """Address of int64[squares]: boards of the next squares."""
    far_sets: int
    """Address of int64[squares]: boards of the squares behind them."""

    # Tables by number of kings n, see tables.py: the word is the address of int64[n].
    row_count: int
    """Sizes: placements of n kings."""
    row_words: int
    """Sizes: words of a row."""
    masks: int
    """Addresses of boards[placements]: the set of each rank."""
    contains: int
    """Addresses of rows[squares]: all sets that hold a square."""
    held_before: int
    """Addresses of int32[squares, words]."""
    free_before: int
    """Addresses of int32[squares, words]."""
    turned: int
    """Addresses of int32[placements]: rank after half a turn."""
    step_start: int
    """Addresses of int32[placements + 1]: where the king moves of a rank begin."""
    step_target: int
    """Addresses of int32[]: ranks after a king move."""
    step_square: int
    """Addresses of int32[]: target squares, `RAY_START` added where a ray begins."""

    # Scratch memory of this thread.
    slots: int
    """Address of the slots for the capture search: four rows side by side in each."""
    slot_bytes: int
    """Bytes from one slot to the next."""
    stream: int
    """Address of a bit stream between the two halves of a change of domain."""
    group_rows: int
    """Address, by n and `slot_bytes` apart: the row of the sets of opposing kings that avoid all
    men of the group."""
    open_rows: int
    """The same, avoiding also the own kings of the current row."""
    tile: int
    """Address of 64 vectors for a bit-matrix transpose."""
    landing: int
    """Address of int64 by rank of the other own kings: see `fill_landing` in landing.py."""
    advances: int
    """Address of pairs (bytes, target square): quiet man moves of the group."""
    man_jumps: int
    """Address of records of captures by men, for groups with one opposing king (openings.py)."""
    row_a: int
    """Address of a row."""
    row_b: int
    """Address of a row."""
    list: int
    """Address of int64 rows by square, for one side without kings (lone.py)."""

    # Facts about the group at work.
    group_om: int
    """Own men for which `group_number` holds, a board."""
    group_pm: int
    """Opposing men likewise."""
    group_number: int
    """The number of the group with those men."""
    king_jumpers: int
    """Squares from which a king could take one of the group's opposing men, a board."""
    man_jumpers: int
    """The same for a man."""
    base_pm: int
    """Opposing men for which `landing` and `king_jumpers` hold."""
    start_occupied: int
    """All squares but the opposing kings', before the move, in the current row."""

    # The general search (general.py).
    key_count: int
    """Capture keys met in the current row."""
    keys: int
    """Address of int64[MAX_KEYS]: these keys."""
    key_rows: int
    """Address, for each key, of three rows of a quarter slot: where it is met, W and N there."""
    full_kings: int
    """Number of kings of the rows in `key_rows`."""

    # Which groups are solved, where not all are (reach.py).
    solved: int
    """Address of bytes, one for each group, its own side having just moved: 1 = solved."""
    solved_base: int
    """Address of int64[slice number]: where the bytes of a slice begin, negative: none are kept."""
    stopped: int
    """Not 0: another thread wants the kernels to return (`rowops.is_stopped`)."""

    # Scores (scores.py).
    joined: int
    """By n: address of uint32[32, C(32, n - 1)], rank of a set and one square more (0: has it)."""
    score_slots: int
    """Address of rows of scores for the capture search, and of one for kingless groups."""
    score_slot_bytes: int
    """Bytes from one of them to the next."""
    published: int
    """Address of two words, where a round writes what is new: the address of the other side's
    block, and that of its `touched`."""
    score_keys: int
    """Address of rows of scores by capture key, `score_slot_bytes` each; general search only."""


class SideWords(Record):
    """The work planes of one side of a group: rows by own kings, bits by opposing kings."""

    unwon: int
    """Address of a plane, see group.py."""
    lost: int
    """Address of a plane."""
    quiet: int
    """Address of a plane: positions whose king moves count."""
    escape: int
    """Address of a plane: a move that leaves the group does not lose."""
    needed: int
    """Address of bytes by row: it must be looked at."""
    changed: int
    """Address of bytes by tile (transpose.py): something in it has changed."""

    # Only where distances to conversion are wanted, else 0 (rounds.py).
    movable: int
    """Address of a plane: there is a leaving move."""
    first_won: int
    """Address of a plane: won by a leaving move."""
    first_lost: int
    """Address of a plane: lost by leaving moves."""
    codes: int
    """Address of int16 value codes of the group, one for every bit of a plane."""

    # Only for scores (scores.py).
    scores: int
    """Address of rows of bytes: scores of the leaving moves, then of the positions."""
    present: int
    """Address, by score, of the bit set of the rows in which a leaving move has it."""
    present_bytes: int
    """Bytes of one of these sets."""
    touched: int
    """Address of a byte for each row of the block that a side reads: whether the last round of
    losses changed it; and of wins, `touched_bytes` behind."""


class ClockWords(Record):
    """A draw clock, one for each thread (clock.py)."""

    limit: int
    """Plies, at least 2; 0: there is no clock."""
    full_one: int
    """Address of the first side of the context that ignores the clock; its `codes` are those of
    the context that goes along."""
    full_two: int
    """Address of its second side, likewise."""
    found: int
    """Address of a word that all threads share: whether anything so far is cursed."""


side_at = record_at(SideWords)
"""The side whose words begin at an address."""
