"""A second draughts with an endgame solver, slow and obvious, to hold against the package.

It shares no code with it: boards are dicts, rules are plain flags (see `naive_moves`, whose
functions are also reached from here), databases are dicts, every definition is read literally.

A position is a key: the sorted (square, piece) pairs with White to move; Black to move is turned
half round with the colours swapped. A material is text like 'KKvK', side to move on the left.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from naive_moves import (
    RULES,
    Board,
    captures,
    colour,
    fen,
    is_conversion,
    is_king,
    legal_moves,
    on_last_row,
    parse,
    perft,
    place,
    result,
    square_count,
    start_position,
    turned,
)

__all__ = [
    "RULES",
    "Board",
    "Value",
    "captures",
    "colour",
    "fen",
    "is_king",
    "key",
    "legal_moves",
    "material",
    "materials",
    "parse",
    "perft",
    "positions",
    "result",
    "solve",
    "solve_with_clock",
    "square_count",
    "start_position",
    "turned",
]

Key = tuple[tuple[int, str], ...]
Moves = list[tuple[Key, bool]]  # position after the move, whether the move converts
Decided = dict[Key, int]  # distances of won and lost positions; drawn ones are missing


class Value(NamedTuple):
    """For the side to move, no clock. Distances in plies, unsigned; 0 when drawn or lost now."""

    wdl: int
    dtc: int
    dtw: int


def key(rules: str, turn: str, board: Board) -> Key:
    if turn == "B":
        turn, board = turned(rules, turn, board)
    return tuple(sorted(board.items()))


def material(position: Key) -> str:
    pieces = "".join(sorted(p for _, p in position))  # capitals first: BWbw
    count = pieces.count
    return f"{'K' * count('W')}{'M' * count('w')}v{'K' * count('B')}{'M' * count('b')}"


def materials(pieces: int) -> list[str]:
    """Every material with 2 to `pieces` pieces and somebody on both sides."""
    sides = ["K" * k + "M" * m for k in range(pieces) for m in range(pieces - k) if k + m]
    return [f"{a}v{b}" for a in sides for b in sides if len(a + b) <= pieces]


def positions(rules: str, name: str) -> Iterator[Key]:
    """Every position of a material: all placements with no man on its crown row."""
    left, right = name.split("v")
    groups = [
        ("w", left.count("M")),
        ("b", right.count("M")),
        ("W", left.count("K")),
        ("B", right.count("K")),
    ]

    def fill(board: Board, rest: list[tuple[str, int]]) -> Iterator[Key]:
        if not rest:
            yield tuple(sorted(board.items()))
            return
        piece, number = rest[0]
        free = [s for s in range(1, square_count(rules) + 1) if s not in board]
        if not is_king(piece):
            free = [s for s in free if not on_last_row(rules, colour(piece), s)]
        for squares in combinations(free, number):
            yield from fill(board | dict.fromkeys(squares, piece), rest[1:])

    return fill({}, groups)


def moves(rules: str, position: Key) -> Moves:
    """Children of a position; none where the rules have ended the game."""
    board = dict(position)
    children = {}
    for move in legal_moves(rules, "W", board):
        children[key(rules, *result("W", board, move))] = is_conversion(rules, board, move)
    return list(children.items())


def is_drawn_now(rules: str, position: Key) -> bool:
    """Turkish: one piece each is a draw at once."""
    return RULES[rules].one_each_is_draw and sorted(colour(p) for _, p in position) == ["B", "W"]


def graph(rules: str, wanted: list[str]) -> dict[Key, Moves]:
    """The children of every position of the wanted materials and of all they can lead to."""
    children: dict[Key, Moves] = {}
    seen, todo = set(wanted), list(wanted)
    while todo:
        for position in positions(rules, todo.pop()):
            ended = is_drawn_now(rules, position)
            children[position] = [] if ended else moves(rules, position)
            for child, _ in children[position]:
                name = material(child)
                if name.startswith("v"):
                    children[child] = []  # the side to move has nothing left
                elif name not in seen:
                    seen.add(name)
                    todo.append(name)
    return children


def solve(rules: str, wanted: int | str) -> dict[Key, Value]:
    """Values of all positions with up to so many pieces, or of a material and what it leads to."""
    children = graph(rules, materials(wanted) if isinstance(wanted, int) else [wanted])
    parents: dict[Key, list[Key]] = {p: [] for p in children}
    for position, ways in children.items():
        for child, _ in ways:
            parents[child].append(position)
    dtw = distances_to_win(rules, children, parents)
    dtc = distances_to_conversion(children, parents, dtw)
    return {
        p: Value((dtw[p] % 2) * 2 - 1, dtc[p], dtw[p]) if p in dtw else Value(0, 0, 0)
        for p in children
        if not material(p).startswith("v")
    }


def distances_to_win(
    rules: str, children: dict[Key, Moves], parents: dict[Key, list[Key]]
) -> Decided:
    """Plies to the end of decided positions: odd = won, even = lost. Missing = drawn.

    Round d decides what is won in d (a child is lost in d - 1) or lost in d (all children are won,
    the longest in d - 1).
    """
    newest = [p for p, ways in children.items() if not ways and not is_drawn_now(rules, p)]
    dtw = dict.fromkeys(newest, 0)
    while newest:
        d = dtw[newest[0]] + 1
        around = {q for p in newest for q in parents[p] if q not in dtw}
        if d % 2:
            newest = list(around)
        else:
            newest = [q for q in around if all(dtw.get(c, 0) % 2 for c, _ in children[q])]
        dtw.update(dict.fromkeys(newest, d))
    return dtw


def distances_to_conversion(
    children: dict[Key, Moves], parents: dict[Key, list[Key]], dtw: Decided
) -> Decided:
    """Plies to the next conversion or to the end, of decided positions.

    The winner keeps the win and hurries, the loser delays as long as possible.
    """
    dtc = {p: 0 for p, d in dtw.items() if d == 0}

    def settled(p: Key) -> bool:
        if dtw[p] % 2:
            keeping = [(c, converts) for c, converts in children[p] if dtw.get(c, 1) % 2 == 0]
            return any(converts or c in dtc for c, converts in keeping)
        return all(converts or c in dtc for c, converts in children[p])

    d, around = 1, set(dtw) - set(dtc)
    while newest := [p for p in around if settled(p)]:
        dtc.update(dict.fromkeys(newest, d))
        around = {q for p in newest for q in parents[p] if q in dtw and q not in dtc}
        d += 1
    return dtc


def solve_with_clock(rules: str, wanted: str, limit: int) -> dict[Key, list[int]]:
    """Result (+1, 0, -1 for the side to move) of every position of a material at each clock.

    The list is indexed by the clock, the plies since the last conversion, 0 to `limit`. At the end
    of a turn a side that cannot move has lost; only then a clock at the limit is a draw.
    """
    children = graph(rules, [wanted])
    results: dict[Key, list[int]] = {p: [0] * (limit + 1) for p in children}

    def value(position: Key, clock: int) -> int:
        if not children[position]:
            return 0 if is_drawn_now(rules, position) else -1
        if clock == limit:
            return 0
        return max(-results[c][0 if converts else clock + 1] for c, converts in children[position])

    for group in groups(rules, children):
        for clock in range(limit, -1, -1):
            for position in group:
                results[position][clock] = value(position, clock)
    return {p: r for p, r in results.items() if material(p) == wanted}


def groups(rules: str, children: dict[Key, Moves]) -> list[list[Key]]:
    """Sets of positions in an order in which conversions lead to earlier sets only."""
    found: dict[tuple[int, ...], list[Key]] = {}
    for position in children:
        men = [(s, p) for s, p in position if not is_king(p)]
        to_go = sum(rows_to_go(rules, square, piece) for square, piece in men)
        only_captures = RULES[rules].converting_man_moves == "none"
        rank = (len(position),) if only_captures else (len(position), len(men), to_go)
        found.setdefault(rank, []).append(position)
    return [found[rank] for rank in sorted(found)]


def rows_to_go(rules: str, square: int, man: str) -> int:
    """Rows between a man and its crown row."""
    row, _ = place(rules, square)
    return row if man == "w" else RULES[rules].size - 1 - row
