#!/usr/bin/env python3
"""Let our player meet a random mover, itself or a Hub engine from table positions.

    scripts/match.py --db DIR [--rules english] [--positions 100] [--value win]
                     [--against random|best|"ENGINE hub"] [--time 0.5] [--seed 1]

Positions are drawn at random from the slices of --pieces pieces with the wanted value for our side,
which moves first. For each the game is played out; printed are wins, draws and losses, wins beyond
their distance (DTW, else the draw clock), third repetitions, plies and time.
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
    """A random position of a slice of *pieces* pieces with this value for the side to move."""
    pairs = [m for m in map(Material.parse, tables.materials) if m.pieces == pieces]
    sides = [side for pair in pairs for side in pair.pair]
    rules = tables.rules
    while True:
        side = rng.choice(sides)
        index = rng.randrange(side.positions(rules))
        boards = unrank_position.plain(rules.traits.plain, index, *side.counts)
        position = Position.from_boards(rules, rng.choice("WB"), boards)
        if not position.is_lone_pieces_draw and tables.get_wdl(position) == value:
            return position


def play_out(game: Game, player: Player, other: object, rng: random.Random, limit: int) -> None:
    """Play until the game is over, a draw can be claimed or *limit* plies are reached."""
    ours = game.turn
    while not game.is_over and game.ply < limit:
        if game.turn == ours:
            game.play(player.choose(game.position, game.history).move)
        elif isinstance(other, HubClient):
            game.play(other.choose(game))
        elif other is None:
            game.play(rng.choice(game.legal_moves()))
        else:
            game.play(player.choose(game.position, game.history).move)


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
    rng = random.Random(given.seed)
    found: Counter[str] = Counter()
    begin = time.perf_counter()
    with open_tablebase(given.db, given.rules) as tables:
        player = Player(tables.rules, tables, seconds=given.time)
        other: object = {"random": None, "best": player}.get(given.against, "engine")
        if other == "engine":
            other = HubClient(shlex.split(given.against), tables.rules, given.time)
        for _ in range(given.positions):
            pieces = given.pieces or tables.max_pieces
            start = draw_position(tables, pieces, VALUES[given.value], rng)
            game = Game(fen=start)
            distance = tables.get_dtw(start)
            play_out(game, player, other, rng, MAX_PLIES)
            end = game.outcome()
            won = end is not None and end.winner == start.turn
            lost = end is not None and end.winner is not None and not won
            found["wins" if won else "losses" if lost else "draws"] += 1
            found["plies"] += game.ply
            found["beyond distance"] += won and bool(distance) and game.ply > abs(distance or 0)
            found["third repetitions"] += max(map(game.occurrences, game.history)) >= 3
    for name in ("wins", "draws", "losses", "beyond distance", "third repetitions", "plies"):
        print(f"{name:<18} {found[name]}")
    print(f"{'seconds':<18} {time.perf_counter() - begin:.1f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
