"""The moves of a second draughts, slow and obvious; it shares no code with the package.

A board is a dict: square number -> 'w' 'W' 'b' 'B' (man, king). Squares are FEN numbers: counted
from the top left, row by row, White at the bottom. A place is (row, column), row 0 at the top; a
direction is (row step, column step). White's men move up (-1), Black's down (+1).
A move is (from, to, frozenset of captured squares, promotes); the same move is listed once.

Rule sets are written down here a second time, from the rule books, as plain flags.
Endgames are solved in `naive`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

Board = dict[int, str]
Move = tuple[int, int, frozenset[int], bool]
Direction = tuple[int, int]
Route = tuple[
    tuple[int, ...], tuple[int, ...], bool
]  # landing squares, victims in order, king at end


@dataclass(frozen=True)
class Rules:
    """What a rule set allows; the defaults are those of English draughts."""

    size: int = 8  # rows
    columns: int = 0  # 0: as many as rows
    diagonal: bool = True  # False: Turkish, all squares, rook directions
    top_left_played: bool = False  # Italian and Spanish: dark corner at the right of each player
    men_take_backwards: bool = False
    flying: bool = False
    choice: str = "free"  # a key of CHOICES
    optional: bool = False  # quiet moves are legal beside captures
    man_on_last_row: str = "stops"  # in a capture: stops (crowned), passes (as a man), becomes king
    removed_each_hop: bool = False
    free_landing: bool = False  # a king need not land where it can go on
    may_turn_back: bool = True  # two consecutive jumps in opposite directions
    men_take_kings: bool = True
    one_each_is_draw: bool = False
    men_rows: int = 0  # 0: as the published start positions
    empty_back_rows: int = 0
    first: str = "B"
    converting_man_moves: str = (
        "all"  # quiet man moves that count as conversions: all, forward, none
    )


RULES = {
    "english": Rules(),
    "english-optional": Rules(optional=True),
    "english-huffing": Rules(optional=True),
    "pure": Rules(
        men_take_backwards=True,
        flying=True,
        removed_each_hop=True,
        free_landing=True,
        converting_man_moves="none",
    ),
    "pool": Rules(men_take_backwards=True, flying=True, man_on_last_row="passes"),
    "russian": Rules(
        first="W", men_take_backwards=True, flying=True, man_on_last_row="becomes king"
    ),
    "brazilian": Rules(
        first="W", men_take_backwards=True, flying=True, choice="most", man_on_last_row="passes"
    ),
    "international": Rules(
        first="W",
        size=10,
        men_take_backwards=True,
        flying=True,
        choice="most",
        man_on_last_row="passes",
    ),
    "italian": Rules(first="W", top_left_played=True, choice="italian", men_take_kings=False),
    "spanish": Rules(first="W", top_left_played=True, flying=True, choice="spanish"),
    "czech": Rules(first="W", flying=True, choice="czech"),
    "turkish": Rules(
        first="W",
        diagonal=False,
        flying=True,
        choice="most",
        man_on_last_row="passes",
        removed_each_hop=True,
        may_turn_back=False,
        one_each_is_draw=True,
        converting_man_moves="forward",
    ),
}

CHOICES: dict[str, tuple[str, ...]] = {
    "free": (),
    "most": ("pieces",),
    "spanish": ("pieces", "kings"),
    "italian": ("pieces", "by king", "kings", "kings early"),
    "czech": ("by king",),
}
"""What the captures that may be played have most of, compared in this order."""

DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))
ORTHOGONAL = ((-1, 0), (0, -1), (0, 1), (1, 0))


# -- the board -----------------------------------------------------------------------------------


def square_count(rules: str) -> int:
    r = RULES[rules]
    return r.size * columns(rules) // (2 if r.diagonal else 1)


def columns(rules: str) -> int:
    r = RULES[rules]
    return r.columns or r.size


@cache
def place(rules: str, square: int) -> tuple[int, int]:
    """(row, column) of a square number."""
    r = RULES[rules]
    if not r.diagonal:
        return divmod(square - 1, columns(rules))
    row, i = divmod(square - 1, columns(rules) // 2)
    first_column = 0 if (row % 2 == 0) == r.top_left_played else 1
    return row, first_column + 2 * i


@cache
def ray(rules: str, square: int, direction: Direction) -> tuple[int, ...]:
    """The squares met when leaving `square` in this direction, up to the edge."""
    by_place = {place(rules, s): s for s in range(1, square_count(rules) + 1)}
    row, column = place(rules, square)
    met = []
    while (row := row + direction[0], column := column + direction[1]) in by_place:
        met.append(by_place[row, column])
    return tuple(met)


def colour(piece: str) -> str:
    return piece.upper()


def other(turn: str) -> str:
    return "B" if turn == "W" else "W"


def is_king(piece: str) -> bool:
    return piece.isupper()


@cache
def on_last_row(rules: str, turn: str, square: int) -> bool:
    return place(rules, square)[0] == (0 if turn == "W" else RULES[rules].size - 1)


def turned(rules: str, turn: str, board: Board) -> tuple[str, Board]:
    """The board turned half round with the colours swapped: the same game from the other side."""
    n = square_count(rules)
    return other(turn), {
        n + 1 - s: p.translate(str.maketrans("wWbB", "bBwW")) for s, p in board.items()
    }


def parse(fen: str, rules: str = "english") -> tuple[str, Board]:
    """Read a FEN liberally: either colour first, ranges, letters, blanks, final dot, counters."""
    fields = re.sub(r"[\s\"\[\]]", "", fen).rstrip(".").upper().split(":")
    board: Board = {}
    for field in fields[1:]:
        if not field or field[0] not in "WB":
            continue  # a counter such as H0
        for item in filter(None, field[1:].split(",")):
            king, item = item[0] == "K", item.removeprefix("K")
            first, _, last = item.partition("-")
            start, end = (_square(rules, text) for text in (first, last or first))
            for square in range(start, end + 1):
                board[square] = field[0] if king else field[0].lower()
    return fields[0], board


def _square(rules: str, text: str) -> int:
    if text.isdigit():
        return int(text)
    r = RULES[rules]
    row, column = r.size - int(text[1:]), "ABCDEFGHIJKLMNOP".index(text[0])
    count = row * columns(rules) + column
    return count // 2 + 1 if r.diagonal else count + 1


def fen(turn: str, board: Board) -> str:
    """Canonical FEN with numbers."""
    sides = []
    for side in "WB":
        squares = sorted(s for s, p in board.items() if colour(p) == side)
        sides.append(side + ",".join("K" * is_king(board[s]) + str(s) for s in squares))
    return ":".join([turn, *sides])


def start_position(rules: str) -> tuple[str, Board]:
    r, n = RULES[rules], square_count(rules)
    if r.men_rows:
        side = range(r.empty_back_rows, r.empty_back_rows + r.men_rows)
        black = [s for s in range(1, n + 1) if place(rules, s)[0] in side]
        white = [s for s in range(1, n + 1) if r.size - 1 - place(rules, s)[0] in side]
    elif not r.diagonal:
        black, white = range(r.size + 1, 3 * r.size + 1), range(n - 3 * r.size + 1, n - r.size + 1)
    else:
        each = r.size // 2 * (r.size // 2 - 1)
        black, white = range(1, each + 1), range(n - each + 1, n + 1)
    return r.first, dict.fromkeys(black, "b") | dict.fromkeys(white, "w")


# -- moves ---------------------------------------------------------------------------------------


@cache
def directions(rules: str, turn: str, king: bool, capturing: bool) -> tuple[Direction, ...]:
    r = RULES[rules]
    every = DIAGONAL if r.diagonal else ORTHOGONAL
    if king or (capturing and r.men_take_backwards):
        return every
    backwards = 1 if turn == "W" else -1
    return tuple(d for d in every if d[0] != backwards)


def hops(
    rules: str,
    turn: str,
    board: Board,
    square: int,
    king: bool,
    taken: tuple[int, ...],
    last: Direction | None,
) -> Iterator[tuple[Direction, int, list[int]]]:
    """Every single jump from `square` as (direction, victim, landing squares).

    `board` does not hold the moving piece; `taken` are the victims so far, `last` the direction of
    the jump before this one.
    """
    r = RULES[rules]
    far = king and r.flying
    for direction in directions(rules, turn, king, True):
        if last and not r.may_turn_back and direction == (-last[0], -last[1]):
            continue
        victim, landings = 0, []
        for distance, s in enumerate(ray(rules, square, direction), start=1):
            piece = board.get(s)
            if not victim:
                if piece is None and far:
                    continue
                if piece is None or colour(piece) == turn or s in taken:
                    break
                if not king and is_king(piece) and not r.men_take_kings:
                    break
                victim = s
            elif piece is None and (far or distance == 2):
                landings.append(s)
            else:
                break
        if landings:
            yield direction, victim, landings


def chains(
    rules: str,
    turn: str,
    board: Board,
    square: int,
    king: bool,
    taken: tuple[int, ...] = (),
    last: Direction | None = None,
) -> list[Route]:
    """Every finished chain of jumps from `square`; empty if nothing can be taken from there."""
    r = RULES[rules]
    found: list[Route] = []
    for direction, victim, landings in hops(rules, turn, board, square, king, taken, last):
        going_on: list[Route] = []
        ending: list[Route] = []
        left = {s: p for s, p in board.items() if s != victim} if r.removed_each_hop else board
        for landing in landings:
            crowned = not king and on_last_row(rules, turn, landing)
            if crowned and r.man_on_last_row == "stops":
                ending.append(((landing,), (victim,), True))
                continue
            king_now = king or (crowned and r.man_on_last_row == "becomes king")
            rest = chains(rules, turn, left, landing, king_now, (*taken, victim), direction)
            for path, victims, is_king_then in rest:
                going_on.append(((landing, *path), (victim, *victims), is_king_then))
            if not rest:
                ending.append(((landing,), (victim,), king or crowned))
        if r.free_landing:
            found += going_on + ending
        else:
            found += going_on or ending
    return found


def worth(rules: str, board: Board, square: int, victims: tuple[int, ...]) -> tuple:
    """How the rules rank a capture; only those of the highest rank may be played."""
    kings = tuple(is_king(board[v]) for v in victims)
    by_king = is_king(board[square])
    found = {"pieces": len(victims), "by king": by_king, "kings": sum(kings), "kings early": kings}
    return tuple(found[criterion] for criterion in CHOICES[RULES[rules].choice])


def captures(rules: str, turn: str, board: Board) -> list[tuple[int, Route]]:
    """Every capture that the choice rule allows, as (start square, route), routes not merged."""
    found = []
    for square, piece in board.items():
        if colour(piece) == turn:
            without = {s: p for s, p in board.items() if s != square}
            found += [(square, c) for c in chains(rules, turn, without, square, is_king(piece))]
    best = max((worth(rules, board, s, route[1]) for s, route in found), default=())
    return [(s, route) for s, route in found if worth(rules, board, s, route[1]) == best]


def quiet_moves(rules: str, turn: str, board: Board) -> set[Move]:
    moves: set[Move] = set()
    for square, piece in board.items():
        if colour(piece) != turn:
            continue
        king = is_king(piece)
        for direction in directions(rules, turn, king, False):
            for to in ray(rules, square, direction):
                if to in board:
                    break
                promotes = not king and on_last_row(rules, turn, to)
                moves.add((square, to, frozenset(), promotes))
                if not (king and RULES[rules].flying):
                    break
    return moves


def legal_moves(rules: str, turn: str, board: Board) -> set[Move]:
    """Every distinct legal move: (from, to, frozenset(captured), promotes)."""
    takes: set[Move] = set()
    for square, (path, victims, king) in captures(rules, turn, board):
        takes.add((square, path[-1], frozenset(victims), king and not is_king(board[square])))
    if takes and not RULES[rules].optional:
        return takes
    return takes | quiet_moves(rules, turn, board)


def result(turn: str, board: Board, move: Move) -> tuple[str, Board]:
    """The position after a move."""
    start, to, captured, promotes = move
    left = {s: p for s, p in board.items() if s != start and s not in captured}
    left[to] = board[start].upper() if promotes else board[start]
    return other(turn), left


def is_conversion(rules: str, board: Board, move: Move) -> bool:
    """Captures convert; quiet moves of men in most rule sets."""
    start, to, captured, _ = move
    if captured or is_king(board[start]):
        return bool(captured)
    kind = RULES[rules].converting_man_moves
    forward = place(rules, start)[0] != place(rules, to)[0]
    return kind == "all" or (kind == "forward" and forward)


def perft(rules: str, turn: str, board: Board, depth: int, counting: str = "distinct") -> int:
    """Leaf count; `counting`: distinct moves, capture_orders (of the victims), paths (landings)."""
    if depth == 0:
        return 1
    ways = dict.fromkeys(legal_moves(rules, turn, board), 1)
    if counting != "distinct":
        which = 1 if counting == "capture_orders" else 0
        told_apart = {
            (s, r[0][-1], frozenset(r[1]), r[which]) for s, r in captures(rules, turn, board)
        }
        for move in ways:
            if move[2]:
                ways[move] = sum(t[:3] == move[:3] for t in told_apart)
    if depth == 1:
        return sum(ways.values())
    return sum(
        n * perft(rules, *result(turn, board, m), depth - 1, counting) for m, n in ways.items()
    )
