"""Legal moves of dame-rs: a line ``rules hub-position`` in, a JSON list of moves out.

A move is [from, to, taken squares, position after it], squares and positions as Hub writes them.
"""

import json
import sys

import dame


def read(text: str) -> dame.Board:
    """The board of a Hub position."""
    squares: dict[str, list[str]] = {"w": [], "b": []}
    for number, cell in enumerate(text[1:], 1):
        if cell != "e":
            squares[cell.lower()].append(f"{'K' if cell.isupper() else ''}{number}")
    return dame.Board(f"{text[0]}:W{','.join(squares['w'])}:B{','.join(squares['b'])}")


def write(board: dame.Board) -> str:
    """The Hub position of a board."""
    pieces = board.piece_map()
    cells = [pieces[n].symbol() if n in pieces else "e" for n in range(1, 51)]
    return ("W" if board.turn == dame.WHITE else "B") + "".join(cells)


for line in sys.stdin:
    _, text = line.split()
    board = read(text)
    found = []
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        found.append([move.from_square, move.to_square, move.captured, write(after)])
    print(json.dumps(found), flush=True)
