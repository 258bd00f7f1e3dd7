#!/usr/bin/env python3
"""Let our player meet a random mover, a weaker level, itself or a Hub engine from table positions.

    scripts/match.py --db DIR [--rules english] [--positions 100] [--value win]
                     [--against random|best|LEVEL|"ENGINE hub"] [--time 0.5] [--seed 1]

Positions are drawn at random from the slices of --pieces pieces with the wanted value for our side,
which moves first and claims draws if it is lost. LEVEL: a player without tables. Printed are wins,
draws, losses, wins beyond their DTW, third repetitions, plies and time.
"""

from __future__ import annotations

import argparse
import random
import shlex
import time
from collections import Counter

from crownbase.board import Position
from crownbase.index import Material, unrank_position
from crownbase.play import Game, Player
from crownbase.probe import Tablebase, open_tablebase
from hub_client import HubClient

MAX_PLIES = 600
VALUES = {"win": 1, "draw": 0, "loss": -1}


def draw_position(tables: Tablebase, pieces: int, value: int, rng: random.Random) -> Position:
    """A random position of so many pieces with this value for the side to move."""
    pairs = [m for m in map(Material.parse, tables.materials) if m.pieces == pieces]
    sides = [side for pair in pairs for side in pair.pair]
    while True:
        side = rng.choice(sides)
        index = rng.randrange(side.positions(tables.rules))
        boards = unrank_position.plain(tables.rules.traits.plain, index, *side.counts)
        position = Position.from_boards(tables.rules, rng.choice("WB"), boards)
        if tables.get_wdl(position) == value and not Game(fen=position).is_over:
            return position


def play_out(game: Game, player: Player, other: object, rng: random.Random, claims: bool) -> None:
    """Play until the game is over, a draw is claimed or MAX_PLIES are reached."""
    ours = game.turn
    while not game.is_over and game.ply < MAX_PLIES:
        if claims and game.turn == ours and game.can_claim_draw():
            break
        if game.turn == ours:
            game.play(player.choose(game.position, game.history).move)
        elif isinstance(other, HubClient):
            game.play(other.choose(game))
        elif isinstance(other, Player):
            game.play(other.choose(game.position, game.history).move)
        else:
            game.play(rng.choice(game.legal_moves()))


def main() -> int:
    """Play the match."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--db", required=True)
    parser.add_argument("--rules", default="english")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--pieces", type=int, default=None, help="default: the largest tables")
    parser.add_argument("--value", choices=VALUES, default="win", help="for our side")
    parser.add_argument("--against", default="random")
    parser.add_argument("--time", type=float, default=0.5, help="seconds for a searched move")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng, begin = random.Random(given.seed), time.perf_counter()
    found: Counter[str] = Counter()
    with open_tablebase(given.db, given.rules) as tables:
        player = Player(tables.rules, tables, seconds=given.time)
        other: object = {"random": None, "best": player}.get(given.against, "engine")
        if given.against.isdigit():
            other = Player(tables.rules, tables, level=int(given.against), seed=given.seed)
        elif other == "engine":
            other = HubClient(shlex.split(given.against), tables.rules, given.time)
        for _ in range(given.positions):
            pieces = given.pieces or tables.max_pieces
            game = Game(fen=draw_position(tables, pieces, VALUES[given.value], rng))
            play_out(game, player, other, rng, given.value == "loss")
            winner = getattr(game.outcome(), "winner", None)
            won = winner == game.start.turn
            found["wins" if won else "losses" if winner else "draws"] += 1
            found["plies"] += game.ply
            found["beyond distance"] += won and game.ply > abs(
                tables.get_dtw(game.start) or MAX_PLIES
            )
            found["third repetitions"] += max(map(game.occurrences, game.history)) >= 3
    found["seconds"] = round(time.perf_counter() - begin)
    for name in "wins,draws,losses,beyond distance,third repetitions,plies,seconds".split(","):
        print(f"{name:<18} {found[name]}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
