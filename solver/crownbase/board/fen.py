"""FEN text (PDN 3.0): read liberally, written canonically.

``W:WK18,22:BK3,7``: side to move, then the squares of each colour, ``K`` before a king. Squares
are numbers from the top left or letter squares (``a1`` at White's left hand); rule sets that use
numbers take letters only if the whole FEN has them. Understood besides: either colour first,
ranges (``W31-50``, ``K31-35``), blanks (also as ``_``), any case, a final dot, an empty side
(``W:W31:B``), a surrounding ``[FEN "..."]``, counters ``:H12:F30`` (plies on the draw clock,
number of the move) and Frisian ``:+0+0``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from crownbase.board.characters import look_alike_words, plain_text
from crownbase.errors import FenError, IllegalPositionError
from crownbase.rules import Rules

_TAG = re.compile(r'\[\s*FEN\s+"([^"]*)"\s*\]', re.IGNORECASE)
_COUNTER = re.compile(r"([HF])(\d{1,9})", re.IGNORECASE)
_LONGEST_SHOWN = 200  # characters of a faulty FEN that a message repeats
_PIECES = ("white men", "white kings", "black men", "black kings")


@dataclass(frozen=True)
class FenFields:
    """What a FEN says: side to move, four bit boards, plies on the draw clock."""

    turn: str
    white_men: int
    white_kings: int
    black_men: int
    black_kings: int
    clock: int = 0


def read_fen(text: str, rules: Rules) -> FenFields:
    """Read a FEN.

    Raises:
        FenError: the text is no FEN; the message quotes the faulty part.
        IllegalPositionError: two pieces on a square, or a man on its crown row.
    """
    shown = plain_text(text).strip()
    tag = _TAG.fullmatch(shown)
    body = re.sub(r"[\s_]+|\\[rn]", "", tag.group(1) if tag else shown)
    turn, *fields = body.removesuffix(".").split(":")
    turn = turn.upper()
    if len(shown) > _LONGEST_SHOWN:
        shown = f"{shown[:_LONGEST_SHOWN]}..."
    if turn == "?":
        raise FenError(f"side to move needed: {shown!r} starts with '?'; write W: or B:")
    if turn not in ("W", "B"):
        raise FenError(
            f"no side to move in {shown!r}: it must start with W: or B:, not {turn[:12]!r}"
            f"{look_alike_words(turn[:12])}"
        )
    boards: dict[str, tuple[int, int]] = {}
    clock = 0
    letters = rules.notation.reads_letters or not any(map(_has_numbers, fields))
    for part in fields:
        counter = _COUNTER.fullmatch(part)
        colour = part[:1].upper()
        if counter:
            clock = int(counter.group(2)) if counter.group(1) in "Hh" else clock
        elif part.startswith("+"):
            continue
        elif colour in ("W", "B"):
            if colour in boards:
                raise FenError(f"colour {colour} is given twice in {shown!r}")
            boards[colour] = _read_side(part[1:], rules, letters, shown)
        else:
            raise FenError(
                f"unknown part {part[:12]!r} in {shown!r}; expected W... or B..."
                f"{look_alike_words(part[:12])}"
            )
    for colour in "WB":
        if colour not in boards:
            raise FenError(f"no {colour} pieces in {shown!r}; write :{colour} for an empty side")
    found = FenFields(turn, *boards["W"], *boards["B"], clock)
    try:
        check_boards(found, rules)
    except IllegalPositionError as error:
        raise IllegalPositionError(f"{error} ({shown!r})") from None
    return found


def _has_numbers(part: str) -> bool:
    """Whether a part such as ``Wa1,K31`` names any square by its number."""
    squares = re.split("[,-]", part[1:]) if part[:1] in ("W", "w", "B", "b") else []
    return any(square.lstrip("Kk")[:1].isdigit() for square in squares)


def _read_side(text: str, rules: Rules, letters: bool, shown: str) -> tuple[int, int]:
    men = kings = 0
    if not text:
        return 0, 0
    for item in text.split(","):
        if not item:
            raise FenError(f"empty item between commas in {shown!r}")
        king = item[0] in "Kk"
        squares = _read_squares(item[1:] if king else item, item, rules, letters, shown)
        for square in squares:
            bit = 1 << square
            if (men | kings) & bit:
                raise IllegalPositionError(
                    f"two pieces on square {rules.square_name(square)} in {shown!r}"
                )
            if king:
                kings |= bit
            else:
                men |= bit
    return men, kings


def _read_squares(text: str, item: str, rules: Rules, letters: bool, shown: str) -> range:
    first, dash, last = text.partition("-")
    start = _read_square(first, item, rules, letters, shown)
    if not dash:
        return range(start, start + 1)
    stop = _read_square(last, item, rules, letters, shown)
    if stop < start:
        raise FenError(f"descending range {item!r} in {shown!r}; write the lower square first")
    return range(start, stop + 1)


def _read_square(text: str, item: str, rules: Rules, letters: bool, shown: str) -> int:
    n = rules.board.n_squares
    if text.isascii() and text.isdigit():
        number = int(text) if len(text) < 6 else n + 1
        if not 1 <= number <= n:
            raise FenError(
                f"no square {text[:12]} in {rules.title}: squares are 1 to {n} ({shown!r})"
            )
        return number - 1
    square = rules.board.names.get(text.lower())
    if square is not None and letters:
        return square
    if text[:1] in ("G", "g", "P", "p") and text[1:].isdigit():
        raise FenError(
            f"{item!r} in {shown!r} is a piece that is just being taken; finish the move first"
        )
    if square is not None:
        raise FenError(f"{item!r} among numbers in {shown!r}; {rules.title} counts squares")
    item = item[:12]
    column, row = text[:1].upper(), text[1:]
    if re.fullmatch("[0-9]{1,2}", row) and "A" <= column <= chr(ord("A") + rules.board.columns - 1):
        if 1 <= int(row) <= rules.board.rows:
            raise FenError(f"{item!r} in {shown!r} names a light square; pieces stand on dark ones")
        raise FenError(f"no square {text.lower()} on this board ({shown!r})")
    raise FenError(
        f"cannot read {item!r} in {shown!r}; expected a square such as 18 or K18"
        f"{look_alike_words(item)}"
    )


def check_boards(fields: FenFields, rules: Rules) -> None:
    """Refuse what no position of the rules can be.

    Raises:
        IllegalPositionError: shared squares, squares off the board, a man on its crown row, or no
            piece at all.
    """
    boards = (fields.white_men, fields.white_kings, fields.black_men, fields.black_kings)
    seen = 0
    for name, board in zip(_PIECES, boards, strict=True):
        if board < 0 or board >> rules.board.n_squares:
            raise IllegalPositionError(
                f"{name} stand off the board: {rules.title} has {rules.board.n_squares} squares"
            )
        if seen & board:
            square = rules.square_name((seen & board).bit_length() - 1)
            raise IllegalPositionError(f"two pieces on square {square}")
        seen |= board
    if not seen:
        raise IllegalPositionError("no piece on the board")
    top = (1 << rules.board.width) - 1
    bottom = top << (rules.board.n_squares - rules.board.width)
    for colour, men in (("white", fields.white_men & top), ("black", fields.black_men & bottom)):
        if men:
            square = rules.square_name((men & -men).bit_length() - 1)
            raise IllegalPositionError(
                f"a {colour} man on {square} would stand on its crown row; "
                f"write K{square} for a king"
            )


def write_fen(fields: FenFields, rules: Rules) -> str:
    """The canonical FEN: White first, squares in numeric order, no blanks, no dot."""
    white = _write_side(fields.white_men, fields.white_kings, rules)
    black = _write_side(fields.black_men, fields.black_kings, rules)
    return f"{fields.turn}:W{white}:B{black}"


def _write_side(men: int, kings: int, rules: Rules) -> str:
    items = []
    for square in range(rules.board.n_squares):
        if (men | kings) >> square & 1:
            items.append(("K" if kings >> square & 1 else "") + rules.square_name(square))
    return ",".join(items)
