"""The row-parallel solver: all placements of the opposing kings at once, as rows of bits.

Fix the men of both sides and the own kings: one row of bits then stands for all placements of
the opposing kings. Moves become unions of rows, and the other side's results come back through a
bit-matrix transpose with half a turn. Read `tables` (numbering of rows), `storage` (the planes),
`captures`, `openings`, `group` in this order; `lone` and `men_only` do the slices where a side has
no kings, `general` the captures of other rule sets, `rounds` and `distances` the distances to
conversion, `clock` what a draw clock spoils. `driver` (win, draw or loss), `pair` (one pair
from arrays) and `reach` (what one position can lead to) are the entrances.
"""

from crownbase.retro.rows.driver import RowSolver, SolvedSlice, solve_rows
from crownbase.retro.rows.reach import ReachSolver, can_reach
from crownbase.retro.rows.reach_kernels import NOT_SOLVED, NOTHING_SOLVED, solved_value
from crownbase.retro.rows.traits import can_solve

__all__ = [
    "NOTHING_SOLVED",
    "NOT_SOLVED",
    "ReachSolver",
    "RowSolver",
    "SolvedSlice",
    "can_reach",
    "can_solve",
    "solve_rows",
    "solved_value",
]
