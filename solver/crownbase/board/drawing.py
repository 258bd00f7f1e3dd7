"""A board as a picture: SVG that stands alone, for files, notebooks and web pages.

White is at the bottom unless the board is flipped. Squares are 40 units wide; a margin with files
and ranks is drawn for rule sets that write letters, small numbers on the squares for the others.
Parts have classes (``dark``, ``light``, ``man``, ``king``, ``white``, ``black``, ``number``), so
that a page can give them other colours than those drawn here.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crownbase.board.position import Position

SQUARE = 40
"""Units of a square's side."""
_MARGIN = 16
_FILES = "abcdefghijklmnopqrstuvwxyz"
_STYLE = (
    ".dark{fill:#8ca2ad}.light{fill:#eef1f2}.number{font:9px sans-serif;fill:#1d2a33}"
    ".white{fill:#fffdf5;stroke:#3a3226}.black{fill:#3a3a3f;stroke:#0c0c0f}"
    ".crown{fill:none;stroke-width:2.4;stroke-linejoin:round}"
    ".white+.crown{stroke:#9a6b00}.black+.crown{stroke:#ffd257}"
    ".arrow{stroke:#b0460e;stroke-width:5;opacity:.8;fill:none}"
)
_CROWN = "M-9 6 L-11 -6 L-5 0 L0 -9 L5 0 L11 -6 L9 6 Z"


def board_svg(
    position: Position,
    *,
    flipped: bool = False,
    arrows: tuple[tuple[int, int], ...] = (),
    width: int | None = None,
) -> str:
    """The board of a position as an SVG document.

    Args:
        position: the position.
        flipped: Black at the bottom.
        arrows: pairs of squares (FEN numbers) to draw an arrow between.
        width: pixels; None lets the picture fill the room that it is given.
    """
    rules = position.rules
    margin = _MARGIN if rules.notation.letters else 0
    across, down = rules.board.columns * SQUARE + margin, rules.board.rows * SQUARE + margin
    size = f' width="{width}" height="{round(width * down / across)}"' if width else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}"{size} '
        f'class="board" role="img">',
        f"<title>{escape(position.fen())}</title><style>{_STYLE}</style>",
        *_squares(position, flipped, margin),
        *_labels(position, flipped, margin),
        *_pieces(position, flipped, margin),
        *_arrows(position, flipped, margin, arrows),
        "</svg>",
    ]
    return "".join(parts)


def _corner(position: Position, square: int, flipped: bool, margin: int) -> tuple[int, int]:
    """The top left corner (x, y) of a square index."""
    board = position.rules.board
    row, column = board.coordinates[square]
    if flipped:
        row, column = board.rows - 1 - row, board.columns - 1 - column
    return margin + column * SQUARE, row * SQUARE


def _squares(position: Position, flipped: bool, margin: int) -> Iterator[str]:
    board = position.rules.board
    across, down = board.columns * SQUARE, board.rows * SQUARE
    yield f'<rect class="light" x="{margin}" width="{across}" height="{down}"/>'
    for square, (row, column) in enumerate(board.coordinates):
        if board.orthogonal and (row + column) % 2:
            continue  # all squares are played on; their two colours only guide the eye
        x, y = _corner(position, square, flipped, margin)
        yield f'<rect class="dark" x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}"/>'


def _labels(position: Position, flipped: bool, margin: int) -> Iterator[str]:
    board = position.rules.board
    if not margin:
        for square in range(board.n_squares):
            x, y = _corner(position, square, flipped, margin)
            yield f'<text class="number" x="{x + 2}" y="{y + 9}">{square + 1}</text>'
        return
    for row in range(board.rows):
        rank = row + 1 if flipped else board.rows - row
        yield f'<text class="number" x="3" y="{row * SQUARE + SQUARE // 2 + 3}">{rank}</text>'
    for column in range(board.columns):
        name = _FILES[board.columns - 1 - column if flipped else column]
        x = margin + column * SQUARE + SQUARE // 2 - 3
        yield f'<text class="number" x="{x}" y="{board.rows * SQUARE + 11}">{name}</text>'


def _pieces(position: Position, flipped: bool, margin: int) -> Iterator[str]:
    boards = (
        ("white man", position.white_men),
        ("white king", position.white_kings),
        ("black man", position.black_men),
        ("black king", position.black_kings),
    )
    for kind, board in boards:
        for square in range(position.rules.board.n_squares):
            if board >> square & 1:
                x, y = _corner(position, square, flipped, margin)
                centre = f"translate({x + SQUARE // 2} {y + SQUARE // 2})"
                crown = f'<path class="crown" d="{_CROWN}"/>' if "king" in kind else ""
                yield f'<g transform="{centre}"><circle class="{kind}" r="15"/>{crown}</g>'


def _arrows(
    position: Position, flipped: bool, margin: int, arrows: tuple[tuple[int, int], ...]
) -> Iterator[str]:
    half = SQUARE // 2
    for start, end in arrows:
        x1, y1 = _corner(position, start - 1, flipped, margin)
        x2, y2 = _corner(position, end - 1, flipped, margin)
        yield (
            f'<path class="arrow" d="M{x1 + half} {y1 + half} L{x2 + half} {y2 + half}"/>'
            f'<circle class="arrow" cx="{x2 + half}" cy="{y2 + half}" r="5"/>'
        )
