"""A player: perfect where the tables reach, a search everywhere else, weaker on request.

Inside the tables the player follows their one ranking of moves (``Tablebase.moves``): the shortest
win, the longest resistance, in drawn positions the most traps. It never goes to a position for
the third time while it is winning. Tables without distances cannot show the way; then a search
chooses among the moves that keep the value.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from crownbase.board import Move, Position
from crownbase.jit import INTERPRETED
from crownbase.rules import Rules
from crownbase.search import Limits, Loader, Searcher, SearchResult
from crownbase.search.loader import PLAIN_MEMORY
from crownbase.search.scores import plies_to_men

if TYPE_CHECKING:
    from crownbase.probe import MoveInfo, Tablebase

_SIGNS = {"win": 1, "cursed-win": 0, "draw": 0, "blessed-loss": 0, "loss": -1}


@dataclass(frozen=True)
class Level:
    """How strong a player is, by stated means.

    depth: plies of search, None = as the time allows. margin: men that a move may be worse than
    the best and still be chosen; all such moves are equally likely. tables: whether tables are
    used.
    """

    depth: int | None
    margin: float
    tables: bool


LEVELS: dict[int, Level] = {
    1: Level(depth=1, margin=1.0, tables=False),
    2: Level(depth=2, margin=0.6, tables=False),
    3: Level(depth=3, margin=0.35, tables=False),
    4: Level(depth=5, margin=0.2, tables=False),
    5: Level(depth=7, margin=0.1, tables=False),
    6: Level(depth=9, margin=0.0, tables=False),
    7: Level(depth=None, margin=0.0, tables=False),
    8: Level(depth=None, margin=0.0, tables=True),
}
PERFECT = 8


@dataclass(frozen=True)
class Choice:
    """What a player decided: the move, what it thinks, and where that comes from.

    ``source``: ``table``, ``search`` or ``only`` (a single legal move).
    """

    move: Move
    source: str
    result: SearchResult


class Player:
    """Chooses moves for one rule set. Keeps its memory during a game; one thread at a time.

    Args:
        rules: the rule set.
        tablebase: tables to play by, None = none.
        level: 1 (weak) to 8 (perfect inside the tables), see ``LEVELS``.
        seconds: time for a search at levels without a fixed depth.
        timed: whether *seconds* end a search at every level.
        clock_limit: plies without a conversion after which the game is drawn.
        seed: makes the choices of weak levels repeatable.
        memory, compiled, load_tables: as in ``Searcher``.
        loader: gets the kernel ready meanwhile. While it compiles, the player searches in plain
            Python, at any level no longer than *seconds*.
    """

    def __init__(
        self,
        rules: Rules,
        tablebase: Tablebase | None = None,
        *,
        level: int = PERFECT,
        seconds: float = 1.0,
        clock_limit: int | None = None,
        seed: int | None = None,
        memory: int = 16 << 20,
        compiled: bool = True,
        load_tables: bool = True,
        loader: Loader | None = None,
        timed: bool = False,
    ) -> None:
        if level not in LEVELS:
            raise ValueError(f"level must be one of {', '.join(map(str, LEVELS))}, not {level}")
        rules = rules.dutiful
        self.rules = rules
        self.level = LEVELS[level]
        self.tablebase = tablebase if self.level.tables else None
        self.seconds = seconds
        self.loader = loader
        self._timed = timed

        def make(compiled: bool) -> Searcher:
            return Searcher(
                rules,
                self.tablebase,
                clock_limit=clock_limit,
                memory=memory if compiled else min(memory, PLAIN_MEMORY),
                compiled=compiled,
                load_tables=load_tables,
            )

        self._make_searcher = make
        self._waits = loader is not None and loader.compiled
        self._searcher = make(compiled and not INTERPRETED and not self._waits)
        self._random = random.Random(seed)

    @property
    def is_compiling(self) -> bool:
        """Whether its searches are in plain Python because the kernel is still to come.

        >>> player = cb.Player(pos.rules, tb, level=1)
        >>> player.is_compiling
        False
        """
        return self.loader is not None and self.loader.is_compiling

    @property
    def searcher(self) -> Searcher:
        """The search; the compiled one as soon as the loader has it ready.

        >>> player = cb.Player(pos.rules, tb, level=1)
        >>> type(player.searcher).__name__
        'Searcher'
        """
        if self._waits and self.loader is not None and self.loader.kernel_ready:
            self._waits = False
            self._searcher = self._make_searcher(True)
        return self._searcher

    def _limits(self, depth: int | None) -> Limits:
        """A search of so many plies, None = for the player's time; if need be, for both."""
        timed = depth is None or self._waits or self._timed
        return Limits(depth, self.seconds if timed else None)

    def new_game(self) -> None:
        """Forget what the searches of the last game left behind.

        >>> player = cb.Player(pos.rules, tb, level=1)
        >>> player.new_game()
        """
        self.searcher.clear()

    def choose(
        self,
        position: Position,
        history: Sequence[Position] = (),
        limits: Limits | None = None,
        on_depth: Callable[[SearchResult], None] | None = None,
    ) -> Choice:
        """The player's move. *history*: earlier positions of the game, oldest first.

        *limits* replace those of the level. *on_depth* hears of every finished iteration.

        Raises:
            ValueError: the game is over in this position.

        >>> player = cb.Player(pos.rules, tb, compiled=False)
        >>> str(player.choose(pos).move)
        '23-27'
        """
        position, history = self._dutiful(position), [self._dutiful(one) for one in history]
        legal = position.legal_moves()
        if position.value_at_once is not None:
            reason = "one piece each ends the game" if legal else "no legal move"
            raise ValueError(f"{reason} in {position.fen()}")
        if len(legal) == 1 and limits is None:
            return Choice(legal[0], "only", SearchResult(0.0, None, legal[0], legal))
        if self.loader is not None and self._waits:
            self.loader.wait_for_cache()
        searcher = self.searcher
        kept, known = self._from_tables(position, history)
        if known is not None:
            return known
        if limits is None:
            limits = self._limits(self.level.depth)
        exact = self.level.margin > 0
        result = searcher.search(
            position, limits, history, moves=kept, exact=exact, on_depth=on_depth
        )
        move = result.move or legal[0]
        if exact and result.move_scores:
            best = max(score for _, score in result.move_scores)
            near = [m for m, score in result.move_scores if score >= best - self.level.margin]
            move = self._random.choice(near)
        return Choice(move, "search", result)

    def accepts_draw(self, position: Position, side: str, history: Sequence[Position] = ()) -> bool:
        """Whether the player, whose side (``W`` or ``B``) is *side*, would take a draw here.

        It does unless it stands to win. Tables judge with the game's history and clocks, so that a
        cursed win and a blessed loss are draws; beyond them a search judges. It does not matter
        whose move it is. *history*: earlier positions of the game, oldest first.

        >>> player = cb.Player(pos.rules, tb, compiled=False)
        >>> player.accepts_draw(pos, "W"), player.accepts_draw(pos, "B")
        (False, True)
        """
        position, history = self._dutiful(position), [self._dutiful(one) for one in history]
        value = self._value(position, history)
        return (value if position.turn == side else -value) <= 0

    def choose_huff(self, position: Position, huffs: Mapping[int, Position]) -> int | None:
        """The square of the piece to huff, or None to let it pass.

        *huffs*: the position after each huff that is possible. The player is to move.

        >>> player = cb.Player(pos.rules, tb, level=1)
        >>> player.choose_huff(pos, {}) is None
        True
        """
        if not huffs:
            return None
        values = {square: self._value(self._dutiful(one), ()) for square, one in huffs.items()}
        best = max(values, key=lambda square: values[square])
        return best if values[best] >= self._value(self._dutiful(position), ()) else None

    def _dutiful(self, position: Position) -> Position:
        """The position as this player plays it: where pieces are huffed, a capture is made."""
        return replace(position, rules=self.rules) if position.rules.huffing else position

    def _value(self, position: Position, history: Sequence[Position]) -> float:
        """More than 0 if the side to move stands to win, less if it stands to lose."""
        ended = position.value_at_once
        if ended is not None:
            return float(ended)
        known = self._table_value(position, history)
        if known is not None:
            return known
        limits = Limits(depth=self.level.depth or 8, time=self.seconds)
        return self.searcher.search(position, limits, history).score

    def _table_value(self, position: Position, history: Sequence[Position]) -> int | None:
        """The tables' -1, 0 or 1 for the side to move; None if they do not tell."""
        if self.tablebase is None:
            return None
        outcomes = [info.outcome for info in self.tablebase.moves(position, history)]
        if "win" not in outcomes and None in outcomes:
            return self.searcher.look_up(position)
        return max(_SIGNS[outcome] for outcome in outcomes if outcome is not None)

    def _from_tables(
        self, position: Position, history: Sequence[Position]
    ) -> tuple[list[Move] | None, Choice | None]:
        """(moves that keep the table's value, or None; the choice, if distances tell it)."""
        if self.tablebase is None or self.searcher.look_up(position) is None:
            return None, None
        ranked = [info for info in self.tablebase.moves(position, history) if info.outcome]
        if not ranked:
            return None, None
        best = ranked[0]
        if best.dtw is None and best.dtc is None and best.outcome != "draw":
            # No distance shows a winner the way: what has been brings it no nearer.
            kept = [info for info in ranked if info.outcome == best.outcome]
            fewest = min(info.repetitions for info in kept)
            winning = best.outcome in ("win", "cursed-win")
            return [i.move for i in kept if not winning or i.repetitions == fewest], None
        return None, Choice(best.move, "table", _table_result(best))


def _table_result(info: MoveInfo) -> SearchResult:
    """A table's word in the shape of a search's.

    A win in p plies is worth ``100 - p/100``; without DTW, ``90 - p/100`` with p plies to the next
    conversion.
    """
    outcome = info.outcome or "draw"
    distance = info.dtw if info.dtw is not None else info.dtc
    plies = None
    score = 0.0
    if _SIGNS[outcome] and distance is not None:
        plies = abs(distance) + 1
        won = plies_to_men(plies) if info.dtw is not None else 90 - plies / 100
        score = _SIGNS[outcome] * won
    return SearchResult(
        score=score,
        category=outcome,
        move=info.move,
        pv=(info.move,),
        nodes=1,
        depth=1,
        table_hits=1,
        plies=plies if info.dtw is not None else None,
    )
