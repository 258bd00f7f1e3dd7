"""Legal moves of py-draughts: a line ``rules hub-position`` in, a JSON list of moves out.

A move is [from, to, taken squares, position after it], squares and positions as Hub writes them.
"""

import json
import sys

import draughts
from draughts.models import Color

BOARDS = {
    "english-optional": draughts.AmericanBoard,
    "russian": draughts.RussianBoard,
    "brazilian": draughts.BrazilianBoard,
    "international": draughts.StandardBoard,
}
NAMES = {"white_men": "w", "white_kings": "W", "black_men": "b", "black_kings": "B"}


def read(rules: str, text: str) -> draughts.BaseBoard:
    """The board of a Hub position."""
    board = BOARDS[rules](turn=Color.WHITE if text[0] == "W" else Color.BLACK)
    for name, letter in NAMES.items():
        setattr(board, name, sum(1 << s for s, at in enumerate(text[1:]) if at == letter))
    return board


def write(board: draughts.BaseBoard) -> str:
    """The Hub position of a board."""
    cells = ["e"] * board.SQUARES_COUNT
    for name, letter in NAMES.items():
        for square in range(len(cells)):
            if getattr(board, name) >> square & 1:
                cells[square] = letter
    return ("W" if board.turn == Color.WHITE else "B") + "".join(cells)


for line in sys.stdin:
    board = read(*line.split())
    found = []
    for move in board.legal_moves:
        board.push(move)
        squares, victims = move.square_list, sorted(square + 1 for square in move.captured_list)
        found.append([squares[0] + 1, squares[-1] + 1, victims, write(board)])
        board.pop()
    print(json.dumps(found), flush=True)
