"""Play-outs: a win of the tables is won over the board, inside every limit of the draw rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import crownbase as cb
from crownbase.index import Material, slice_pairs, unrank_position
from crownbase.jit import INTERPRETED
from crownbase.play.game import Game
from crownbase.play.outcome import OTHER
from crownbase.play.player import Player
from crownbase.probe import Result, Tablebase, open_tablebase
from crownbase.rules import RULE_SETS, Rules

pytestmark = pytest.mark.skipif(INTERPRETED, reason="solves slices")

QUICK, FULL = 60, 1000
"""Wins of a rule set that are played out in the two forms of the test."""


def is_sure(result: Result) -> bool:
    """Decided, and nothing is left out but when the game began: here it begins here."""
    decided = result.category in ("win", "loss")
    return decided and not any("not weighed" in says for says in result.assumes)


def random_decided(
    tables: Tablebase, pieces: int, rng: random.Random
) -> Iterator[tuple[cb.Position, Result]]:
    """Decided positions of random materials; every other one with plies on its clock."""
    rules = tables.rules
    materials = [side for pair in slice_pairs(pieces) for side in pair.pair]
    while True:
        material = rng.choice(materials)
        index = rng.randrange(material.positions(rules))
        boards = unrank_position.plain(rules.traits.plain, index, *material.counts)
        position = cb.Position.from_boards(rules, rng.choice("WB"), boards)
        clock = 0
        if rules.quiet_limit is not None and rng.random() < 0.5:
            dtc = abs(tables.probe_dtc(position))
            clock = max(0, rules.quiet_limit - dtc - rng.randrange(2))
        position = cb.Position.from_fen(f"{position.fen()}:H{clock}", rules)
        result = tables.probe(position)
        if is_sure(result) and position.legal_moves():
            yield position, result


def play_out(
    tables: Tablebase, player: Player, start: cb.Position, result: Result, rng: random.Random
) -> Game:
    """The player wins against the best defence or a random one, which claims what it can."""
    game = Game(tables.rules, start)
    winner = start.turn if result.wdl > 0 else OTHER[start.turn]
    best = rng.random() < 0.5
    while game.outcome() is None:
        if game.turn == winner:
            game.play(player.choose(game.position, game.history).move)
            continue
        assert not game.can_claim_draw(), (start.fen(), start.clock)
        move = tables.best_move(game.position, game.history) if best else None
        game.play(move or rng.choice(game.legal_moves()))
    return game


def check_playouts(rules: Rules, directory: Path, wins: int, pieces: int = 3) -> None:
    rng = random.Random(4)
    with open_tablebase(directory, rules=rules) as tables:
        player = Player(rules, tables, load_tables=False, compiled=False)
        positions = random_decided(tables, pieces, rng)
        for _ in range(wins):
            start, result = next(positions)
            winner = start.turn if result.wdl > 0 else OTHER[start.turn]
            game = play_out(tables, player, start, result, rng)
            words = f"{start.fen()}:H{start.clock} {game.outcome()} {game.ply} {result}"
            outcome = game.outcome()
            assert outcome and outcome.winner == winner, words
            assert start.clock or game.ply <= abs(result.dtw or 0), words
            assert all(game.occurrences(one) < 3 for one in (*game.history, game.position)), words


def test_english_wins_are_won(english_directory: Path) -> None:
    check_playouts(RULE_SETS["english"], english_directory, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key in RULE_SETS if RULE_SETS[key].has_tables])
def test_a_thousand_wins_of_each_rule_set(key: str, tmp_path: Path) -> None:
    cb.build(tmp_path, rules=key, pieces=3, metrics=("wdl", "dtc", "dtw"))
    check_playouts(RULE_SETS[key], tmp_path, FULL)


@pytest.mark.slow
def test_a_thousand_wins_of_the_tables_that_ship() -> None:
    with open_tablebase() as shipped:
        if Material.parse("KKvKM") not in map(Material.parse, shipped.materials):
            pytest.skip("no tables of four pieces here")
    from crownbase.probe import shipped_directory

    check_playouts(RULE_SETS["english"], shipped_directory(), FULL, pieces=4)
