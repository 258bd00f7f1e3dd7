"""Legal moves of pydraughts: a line ``rules hub-position`` in, a JSON list of moves out.

A move is [from, to, taken squares, position after it], squares and positions as Hub writes them.
"""

import json
import sys

from draughts.core.game import Game

VARIANTS = {"international": "standard"}

for line in sys.stdin:
    rules, board = line.split()
    # Its core counts squares from the top left, as Hub does, and knows no first player.
    game = Game(VARIANTS.get(rules, rules), board)
    found = []
    for hops, taken in zip(*game.legal_moves(), strict=True):
        after = game.copy_fast()
        after.push(hops)
        victims = sorted(square for square in taken if square is not None)
        found.append([hops[0][0], hops[-1][1], victims, after.get_fen()])
    print(json.dumps(found), flush=True)
