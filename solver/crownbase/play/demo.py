"""Demonstrations of the draw rules: real games, played by the rules and found in the tables.

Every scene is a game that ``Game`` has played: the moves come from the tables, the end from the
rules, with the article. What the scenes need are tables of kings, four at most; they are those that
ship, or are solved on the spot.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from crownbase.board import Position, clocks
from crownbase.board.clocks import OFF
from crownbase.build.table_files import position_fen, read_values
from crownbase.index import Material
from crownbase.play import demo_books
from crownbase.play.demo_scene import Dance, Scene, back_and_forth, play_out, scene_json, scene_text
from crownbase.play.demo_tables import ENDINGS, FOUR, THREE, TWO, has_ending, write_tables
from crownbase.play.game import Game, Reason
from crownbase.play.outcome import OTHER
from crownbase.probe import Tablebase, open_tablebase, shipped_directory
from crownbase.probe.catalog import rules_folder
from crownbase.probe.result import WIN
from crownbase.rules import DrawRules, Rules
from crownbase.rules.draw import AUTOMATIC, NO_DRAW_RULES, WEAK, QuietClock, Repetition, main_road

__all__ = ["Demo", "Scene", "scene_json", "scene_text"]

_TRIED = 50
"""How many of the longest wins of a material are looked at before it is left."""


class Demo:
    """The scenes of one rule set. A context manager: it may keep tables in a temporary folder."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._stack = ExitStack()

    def __enter__(self) -> Demo:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @cached_property
    def _directory(self) -> Path:
        """Where the tables are; made when a scene first needs them."""
        shipped = shipped_directory()
        if all(has_ending(shipped, self.rules, ending) for ending in ENDINGS):
            return shipped
        made = Path(self._stack.enter_context(TemporaryDirectory(prefix="crownbase-demo-")))
        write_tables(made, self.rules)
        return made

    @cached_property
    def tables(self) -> Tablebase:
        """The tables that the scenes come from."""
        return self._stack.enter_context(open_tablebase(self._directory, self.rules))

    def scenes(self) -> Iterator[Scene]:
        """All scenes that the rule set has draw rules for."""
        dance = self._dance()
        draw = self.rules.draw
        if draw.repetition:
            yield self._repetition(dance, draw.repetition)
        if draw.quiet:
            yield self._clock_runs_out(dance, draw.quiet)
        if draw.quiet and self.rules.has_tables:
            late = self._one_ply_too_late(draw.quiet)
            yield late
            yield self._other_draw_rules(late)
        yield from self._class_clocks()
        yield from self._petrov()
        yield from demo_books.scenes(self.rules, dance)
        if self.rules.lone_pieces_draw:
            yield self._lone_pieces()
        if not draw.quiet:
            yield self._without_repetition(dance)

    # -- repetition and clocks without a winner --------------------------------------------------

    def _dance(self) -> Dance:
        """Two kings of each side that can shuffle, and no class clock is in the way."""
        last = self.rules.board.n_squares
        for shift in range(last):
            white, black = (last - shift, last), (1, 2 + shift)
            fen = f"W:WK{white[0]},K{white[1]}:BK{black[0]},K{black[1]}"
            if len({*white, *black}) == 4:
                start = Position.from_fen(fen, self.rules)
                for there in start.legal_moves():
                    moves = back_and_forth(start, there)
                    if moves:
                        return start, moves
        raise AssertionError("kings can always shuffle somewhere")

    def _repetition(self, dance: Dance, again: Repetition) -> Scene:
        start, moves = dance
        game = Game(self.rules, start)
        play_out(game, moves * again.times, claimant="any")
        how = "ends the game" if again.declared == AUTOMATIC else "can be claimed"
        return Scene(f"A repetition that {how}", start, (), ((game.draw.name, game),))

    def _clock_runs_out(self, dance: Dance, quiet: QuietClock) -> Scene:
        start = replace(dance[0], clock=quiet.limit - 2)
        game = Game(self.rules, start)
        play_out(game, dance[1], claimant="any")
        remark = f"One ply earlier {game.clock - 1} plies were on the clock, and the game went on."
        title = "A clock that runs out on the very ply"
        return Scene(title, start, (remark,), ((game.draw.name, game),))

    def _lone_pieces(self) -> Scene:
        game = Game(self.rules, "W:WK1:BK2")
        remark = "White could take, but the game is over before that."
        title = "One piece each is a draw at once"
        return Scene(title, game.start, (remark,), ((game.draw.name, game),))

    def _without_repetition(self, dance: Dance) -> Scene:
        start, moves = dance
        games = []
        for draw in (self.rules.draw, NO_DRAW_RULES):
            game = Game(self.rules, start, draw=draw)
            play_out(game, moves * 3, claimant="any")
            games.append((draw.name, game))
        return Scene("The same moves under other draw rules", start, (), tuple(games))

    # -- wins against a clock --------------------------------------------------------------------

    def _one_ply_too_late(self, quiet: QuietClock) -> Scene:
        """The longest DTC of kings alone: in time, and then no more."""
        start, plies = self._longest_conversion(quiet.limit)
        # A claim is made in the loser's turn, which comes every other ply.
        late = 1 if quiet.declared == AUTOMATIC else 2
        in_time = replace(start, clock=quiet.limit - plies)
        too_late = replace(start, clock=quiet.limit - plies + late)
        line = tuple(self.tables.line(in_time))
        games = []
        for words, position in (("in time", in_time), ("too late", too_late)):
            game = Game(self.rules, position)
            play_out(game, line, claimant=OTHER[start.turn])
            category = self.tables.probe(position).category
            games.append((f"{position.clock} plies on the clock: {category}, {words}", game))
        title = f"A win {'one ply' if late == 1 else 'one move'} too late under the clock"
        remark = f"The next conversion takes {plies} plies; the limit is {quiet.limit}."
        return Scene(title, too_late, (remark,), tuple(games))

    def _other_draw_rules(self, late: Scene) -> Scene:
        """The position of another scene, and its line, under every draw rule book."""
        books = [self.rules.draw, *self.rules.draw_presets, NO_DRAW_RULES]
        limits = [book.quiet.limit for book in books if book.quiet and not book.quiet.min_pieces]
        plies = abs(self.tables.probe_dtc(late.position))
        start = replace(late.position, clock=max(0, min(limits) - plies + 1))
        line = tuple(self.tables.line(replace(start, clock=0)))
        games = []
        for book in books:
            game = Game(self.rules, start, draw=book)
            play_out(game, line, claimant=OTHER[start.turn])
            games.append((book.name, game))
        remark = f"{start.clock} plies are on the clock; the next conversion takes {plies} more."
        title = "The same position under other draw rules"
        return Scene(title, start, (remark,), tuple(games))

    def _class_clocks(self) -> Iterator[Scene]:
        for ending in (THREE, TWO) if self.rules.draw.class_clocks else ():
            for draw in (self.rules.draw, *self.rules.draw_presets):
                found = self._class_clock(draw, ending)
                if found:
                    yield found
                    break

    def _class_clock(self, draw: DrawRules, ending: Material) -> Scene | None:
        """A win that waits until the clock of its class leaves too few plies."""
        for number, clock in enumerate(draw.class_clocks):
            quiet = draw.quiet_limit
            suits = clock.road != WEAK and (quiet is None or clock.plies < quiet)
            if not suits or not clock.stronger(*_sides(ending)):
                continue
            for start in islice(self._wins_under(draw, number, ending), _TRIED):
                perfect = Game(self.rules, start, draw=draw)
                play_out(perfect, tuple(self.tables.line(start)), claimant="none")
                slow = Game(self.rules, start, draw=draw)
                self._dawdle(slow)
                end = slow.outcome()
                if end and end.reason is Reason.CLASS_CLOCK:
                    games = (("at once", perfect), ("after waiting", slow))
                    remark = f'Class clock "{clock.name}", {clock.article}: {clock.moves} moves.'
                    return Scene(f"A class clock ({draw.name})", start, (remark,), games)
        return None

    def _petrov(self) -> Iterator[Scene]:
        """Three kings drive a flying king that does not hold the main road into a triangle."""
        road = main_road(self.rules.board)
        books = (self.rules.draw, *self.rules.draw_presets)
        clocks_there = [one for book in books for one in book.class_clocks if one.road == WEAK]
        if not clocks_there or self.rules.board.n_squares != 32:
            return
        for start, plies in self._wins(THREE, "dtw"):
            if not start.black_kings & road and self.tables.probe(start).category == WIN:
                game = Game(self.rules, start)
                play_out(game, tuple(self.tables.line(start)), claimant="none")
                remark = f"No win of this ending takes longer: {plies} plies of best play."
                title = "Petrov's triangle: off the main road three kings win"
                yield Scene(title, start, (remark,), ((game.draw.name, game),))
                return

    def _dawdle(self, game: Game) -> None:
        """The winner wastes time until it is too late to win, and then plays well."""
        winner = game.turn
        while game.outcome() is None:
            infos = self.tables.moves(game.position, game.history)
            choice = infos[0]
            if game.turn == winner and choice.outcome == WIN:
                waiting = [info for info in infos if info.wdl == -1 and not info.conversion]
                waiting.sort(key=lambda info: (info.repetitions, -abs(info.dtc or 0)))
                choice = waiting[0] if waiting else choice
            game.play(choice.move)

    def _wins_under(self, draw: DrawRules, number: int, ending: Material) -> Iterator[Position]:
        """Wins under a class clock that starts at once, the longest first."""
        for position, _ in self._wins(ending, "dtw"):
            running = clocks.first_counts(draw, position)[number] != OFF
            if running and self.tables.probe(position).category == WIN:
                yield position

    def _longest_conversion(self, limit: int) -> tuple[Position, int]:
        """The win with the longest DTC that no class clock spoils on the way, and its DTC."""
        found = []
        for ending in (TWO, THREE, FOUR):
            for position, plies in islice(self._wins(ending, "dtc"), _TRIED):
                clocked = replace(position, clock=limit - plies)
                if self.tables.probe(clocked).category == WIN and self._is_won(clocked):
                    found.append((position, plies))
                    break
        return max(found, key=lambda one: one[1])

    def _is_won(self, start: Position) -> bool:
        game = Game(self.rules, start)
        end = play_out(game, tuple(self.tables.line(start)), claimant=OTHER[start.turn])
        return end is not None and end.winner == start.turn

    def _wins(self, ending: Material, metric: str) -> Iterator[tuple[Position, int]]:
        """Won positions in which nothing can be taken, the longest first, with the plies."""
        folder = self._directory / rules_folder(self.rules)
        codes = read_values(self.rules, folder, ending, metric)[ending]
        probe = self.tables.probe_dtc if metric == "dtc" else self.tables.probe_dtw
        for place in np.argsort(-codes, kind="stable"):
            position = self._position(ending, int(place))
            if not any(move.captured for move in position.legal_moves()):
                plies = probe(position)
                if plies == codes[place] > 1:
                    yield position, plies

    def _position(self, ending: Material, place: int) -> Position:
        return Position.from_fen(position_fen(self.rules, ending, place), self.rules)


def _sides(ending: Material) -> tuple[tuple[int, int], tuple[int, int]]:
    own_men, own_kings, opponent_men, opponent_kings = ending.counts
    return (own_men, own_kings), (opponent_men, opponent_kings)
