"""Proving a position by a search that ends in moves and table values, never in an opinion.

Two questions settle a position: can the side to move win, can its opponent? Workers take turns,
each with twice the work in every round, until both are answered:

1. the ordinary search: its win and loss scores are proofs, since every line of them ends in a won
   position, whatever the evaluation says elsewhere; good at shots;
2. for each question that is still open, an ``Attacker`` tries to show yes by proof numbers,
3. a ``Holder`` tries to show no by a strategy that never loses, many positions without search,
4. and another one does so with few positions, searched deeper in every round;
5. retrograde analysis solves what the root can lead to (`Solving`), from the fewest pieces up: all
   searches end in what is solved, and if its turn comes, the root itself is.

What attackers and holders find out about a position they keep in one cache, for each other and
for later rounds; like every cache of a search, it knows positions by a hash of 64 bits. Draw
clocks and earlier positions of a game play no part.
"""

from __future__ import annotations

import time as clocks
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from crownbase.board import Move, Position
from crownbase.search import work as layout
from crownbase.search.attacker import Attacker
from crownbase.search.holder import Holder
from crownbase.search.lines import Lines
from crownbase.search.onward import play_on, table_line
from crownbase.search.searcher import DEFAULT_TIME, MAX_DEPTH, Limits, Searcher, SearchRun
from crownbase.search.solving import Solving, solving_for
from crownbase.search.tables import DEFAULT_MEMORY, TableView

if TYPE_CHECKING:
    from crownbase.probe import Tablebase

_FIRST_WORK = 100_000
"""Positions that an attacker or holder visits in the first round."""
_SEARCH_SHARE = 2
"""The ordinary search visits so many times more."""
_FIRST_DEPTH, _DEEPER = 6, 3
"""Plies of a holder's searches in the first round, and how many more in each later one."""
_ONE_SEARCH = 16
"""A holder's search may use one part in so many of its work."""
_SOLVING_SHARE = 400
"""So many times more positions are solved: they take two thirds of the time."""
_ENOUGH_WORK = 8 * _FIRST_WORK
"""Work of the round in which searches give way if the root can be solved ..."""
_SOON = 30.0
"""... within the limit, or in so many seconds if there is no limit of time."""
_HOPE = 4
"""Seconds that solving the root may take for each that is left, to be tried at all."""
_ENDLESS = 1 << 50
SOLVING_MEMORY = 2 << 30
"""Bytes of values that are solved on the way and kept, unless told otherwise."""
_CACHE_SHARE = 8
"""One part in so many of the memory is the ordinary search's cache; attackers and holders share
two, and each has one of its own (a quarter, if it starts anew)."""
WINS, LOSES = 1, -1
"""The questions, named by what yes would mean for the side to move."""


@dataclass(frozen=True)
class Proof:
    """What is proven of a position, from the view of the side to move.

    Attributes:
        outcome: ``win``, ``draw``, ``loss`` or ``unknown``: the limit came first.
        lower, upper: what is proven anyway: the value lies in lower..upper, -1 = loss, 1 = win.
        size: positions of the proof, 0 = read from a table. Of a proof by the ordinary search, the
            positions that its last iteration visited; of one by an attacker, all it visited; a
            holder's positions that a short search settles count as one each; if the root was
            solved by retrograde analysis, all that were solved for it.
        nodes: positions visited in all.
        depth: plies of the deepest search.
        line: a line of the proof: of a win or loss to the end of the game, if a second of search
            finds the way there from where values are known; of a draw up to such values.
        plies: an upper bound of the length of a win or loss, if there is one.
        seconds, table_hits: time used, table values and values solved on the way that were used.
        solved: positions solved on the way for this root, both sides to move.
    """

    outcome: str
    lower: int
    upper: int
    size: int
    nodes: int
    depth: int
    line: tuple[Move, ...]
    plies: int | None
    seconds: float
    table_hits: int
    solved: int = 0


class _Workers(NamedTuple):
    """Who works on one question: yes, no without looking ahead, no with it."""

    attacker: Attacker
    patient: Holder
    cautious: Holder


class _Prover:
    """One proof in progress: bounds so far and what they cost."""

    def __init__(
        self,
        searcher: Searcher,
        position: Position,
        limits: Limits,
        memory: int,
        solving: Solving | None = None,
    ) -> None:
        self.searcher = searcher
        self.position = position
        self.limits = limits
        self.data = searcher.work.data
        share = memory // _CACHE_SHARE
        # Attackers and holders have frames and a cache of their own, but the same tables.
        bits = max(8, (2 * share // 32).bit_length() - 1)
        own = layout.make_work(bits)._replace(slices=searcher.work.slices)
        for slot in (layout.TABLE_PIECES, layout.INNER):
            own.data[slot] = self.data[slot]
        self.solving = solving
        if solving is not None:
            searcher.work, own = solving.attach(searcher.work), solving.attach(own)
        self.own = own

        def workers(question: int) -> _Workers:
            yes = question == WINS
            given = (searcher, own, position, self._must_stop)
            return _Workers(
                Attacker(given, yes, share),
                Holder(given, not yes, share),
                Holder(given, not yes, share // 4),
            )

        self.workers = {question: workers(question) for question in (WINS, LOSES)}
        self.lower, self.upper = -1, 1
        self.no = {question: workers.patient for question, workers in self.workers.items()}
        self.sizes = {WINS: 0, LOSES: 0}
        self.line: tuple[Move, ...] = ()
        self.plies: int | None = None
        self.depth = 0
        self.visited = 0
        self.run: SearchRun | None = None

    def warm_up(self) -> None:
        """Load or compile the attackers' and holders' kernels: no time limit should pay for it."""
        for attacker, _, holder in self.workers.values():
            attacker.work_on(0)
            holder.work_on(0)
            holder.proof_size()
            holder.begin(0, 0)
        Lines(self.searcher.rules.traits, self.own, self._look_up).answer(self.position, 1)

    def prove(self, start: float, on_round: Callable[[Proof], None] | None) -> Proof:
        """Work until the bounds meet or a limit comes; *start*: when the time began."""
        self.run = SearchRun(self.searcher, self.position, self.limits, None, start, exact=False)
        work, depth = _FIRST_WORK, _FIRST_DEPTH
        while not self._is_over() and self._can_go_on():
            self._search(self.run, work * _SEARCH_SHARE)
            for question in (WINS, LOSES):
                for ask in (self._attack, self._hold, self._hold_anew):
                    if self._is_asked(question) and not self._is_over():
                        ask(question, work, depth)
            if not self._is_over():
                self._solve(work)
            if on_round is not None:
                on_round(self.result())
            work *= 2
            depth = min(depth + _DEEPER, MAX_DEPTH)
        return self.result()

    def close(self) -> None:
        """Let the workers go, whose memory would wait for Python's collector of cycles."""
        self.workers.clear()
        self.no.clear()

    def _is_asked(self, question: int) -> bool:
        return self.upper == 1 if question == WINS else self.lower == -1

    def _is_over(self) -> bool:
        return self.lower == self.upper or self._out_of_limits()

    def _can_go_on(self) -> bool:
        if self.depth < MAX_DEPTH or (self.solving is not None and self.solving.is_open):
            return True
        return any(
            self._is_asked(question) and (attacker.is_open or holder.is_open)
            for question, (attacker, holder, _) in self.workers.items()
        )

    def _must_stop(self) -> bool:
        return self.run is not None and self.run.must_stop()

    def _out_of_limits(self) -> bool:
        limit = self.limits.nodes
        return bool(self._must_stop() or (limit is not None and self.nodes >= limit))

    @property
    def nodes(self) -> int:
        """Positions visited by all workers."""
        return self.visited + sum(w.visited for three in self.workers.values() for w in three)

    def _search(self, run: SearchRun, work: int) -> None:
        """Deepen the ordinary search as far as the work allows."""
        work = self._within_limit(work)
        self.data[layout.STOP] = self.data[layout.NODES] = 0
        self.data[layout.NODE_LIMIT] = work
        score = 0
        while self.depth < MAX_DEPTH:
            before = int(self.data[layout.NODES])
            found = run.iterate(self.depth + 1, score)
            if self.data[layout.STOP] or found is None:
                break
            score = found[0]
            self.depth += 1
            result = run.result(score, self.depth)
            if result.category is not None:
                question = WINS if result.category == "win" else LOSES
                self.plies, self.line = result.plies, result.pv
                self._answer(question, True, int(self.data[layout.NODES]) - before)
                break
        self.visited += int(self.data[layout.NODES])
        self.data[layout.NODE_LIMIT] = 0

    def _attack(self, question: int, work: int, depth: int) -> None:
        """Go on with a question by proof numbers."""
        attacker = self.workers[question].attacker
        if not attacker.is_open:
            return
        attacker.work_on(self._within_limit(work))
        if attacker.answer is not None:
            self._answer(question, attacker.answer, attacker.visited)

    def _hold(self, question: int, work: int, depth: int) -> None:
        """Go on asking whether the other side can hold, without looking ahead."""
        holder = self.workers[question].patient
        if holder.is_open:
            self._let(holder, question, work)

    def _hold_anew(self, question: int, work: int, depth: int) -> None:
        """Ask anew whether the other side can hold, with searches of *depth* plies."""
        holder = self.workers[question].cautious
        holder.begin(depth, work // _ONE_SEARCH)
        self._let(holder, question, work)

    def _solve(self, work: int) -> None:
        """Solve more of what the root can lead to, and all of it if there is time for that.

        Groups of as many pieces as the root has are of little use for searches. Those with fewer
        are of use when they are complete, or for the next root.
        """
        if self.solving is None or self.run is None:
            return
        time_left = _SOON
        if self.limits.time is not None:
            time_left = self.limits.time - (clocks.perf_counter() - self.run.start)
        needed = self.solving.seconds_left()
        if needed <= time_left and work >= _ENOUGH_WORK:
            work = _ENDLESS
        elif not self.solving.is_below:
            if needed > _HOPE * time_left:
                return
        elif not self.solving.is_kept and self.solving.seconds_left(below=True) > time_left:
            return
        self.solving.work_on(work * _SOLVING_SHARE, time_left, self._must_stop)
        value = self.solving.answer
        if value is not None:
            self.lower = self.upper = value
            self.sizes = dict.fromkeys(self.sizes, self.solving.solved)
            self.line = self._solved_line(value)

    def _solved_line(self, value: int) -> tuple[Move, ...]:
        """A move that holds a solved draw; what it leads to is solved too, or a table's."""
        if value != 0:
            return ()
        holding = (
            m for m in self.position.legal_moves() if not self._look_up(self.position.play(m))
        )
        return tuple(islice(holding, 1))

    def play_on(self, found: Proof, stop: Callable[[], bool] | None) -> Proof:
        """The proof with the line of a win or loss led on from where its values are known."""
        if found.outcome not in ("win", "loss"):
            return found
        end = self.position
        for move in found.line:
            end = end.play(move)
        more = play_on(self.searcher, end, self._look_up, stop)
        return replace(found, line=found.line + more)

    def _look_up(self, position: Position) -> int | None:
        """WDL of a position by a table or because it is solved."""
        known = self.searcher.look_up(position)
        return self.solving.value(position) if known is None and self.solving else known

    def _let(self, holder: Holder, question: int, work: int) -> None:
        holder.work_on(self._within_limit(work))
        if holder.answer is not None:
            self.no[question] = holder
            self._answer(question, not holder.answer, holder.proof_size())

    def _within_limit(self, work: int) -> int:
        limit = self.limits.nodes
        return work if limit is None else max(1, min(work, limit - self.nodes))

    def _answer(self, question: int, yes: bool, size: int) -> None:
        """Note the answer to a question, and the line if that settles the position."""
        self.sizes[question] = size
        lines = Lines(self.searcher.rules.traits, self.own, self._look_up)
        if yes:
            self.lower = self.upper = question
            self.line = self.line or lines.of_win(self.position, question == WINS)
            return
        if question == WINS:
            self.upper = min(self.upper, 0)
        else:
            self.lower = max(self.lower, 0)
        if self.lower == self.upper:
            first, second = (self.no[q].choice for q in (LOSES, WINS))
            self.line = lines.of_draw(self.position, (first, second))

    def result(self) -> Proof:
        """The proof as it stands."""
        settled = self.lower == self.upper
        outcome = ("loss", "draw", "win")[self.lower + 1] if settled else "unknown"
        return Proof(
            outcome=outcome,
            lower=self.lower,
            upper=self.upper,
            size=self._size(outcome),
            nodes=self.nodes,
            depth=self.depth,
            line=self.line if settled else (),
            plies=self.plies if settled else None,
            seconds=clocks.perf_counter() - (self.run.start if self.run else 0),
            table_hits=sum(int(d[layout.TABLE_HITS]) for d in (self.data, self.own.data)),
            solved=self.solving.solved if self.solving else 0,
        )

    def _size(self, outcome: str) -> int:
        one, other = self.sizes.values()
        by_solving = self.solving is not None and self.solving.answer is not None
        return one + other if outcome == "draw" and not by_solving else max(one, other)


def prove(
    pos: Position,
    tablebase: Tablebase | TableView | None = None,
    time: float | None = None,
    nodes: int | None = None,
    *,
    stop: Callable[[], bool] | None = None,
    memory: int = 512 << 20,
    table_memory: int = DEFAULT_MEMORY,
    solving_memory: int = SOLVING_MEMORY,
    keep_solved: bool = True,
    on_round: Callable[[Proof], None] | None = None,
) -> Proof:
    """Prove win, draw or loss of a position; ``unknown`` if a limit comes first.

    *time* in seconds, counted once tables and kernels are in memory; *nodes* in positions; without
    any limit 5 seconds. *stop* is polled and ends the proof once it returns True. *memory*: bytes,
    used only as the proof grows. *table_memory*: bytes for table values, two bits a position;
    slices that do not fit are left out. *solving_memory*: bytes for what is solved on the way, 0 =
    nothing; used as the proof grows. *keep_solved*: leave that with the tablebase, where later
    proofs find it. *on_round* hears how far the proof has come.

    >>> cb.prove(pos, tablebase=tb).outcome
    'win'
    """
    searcher = Searcher(
        pos.rules,
        tablebase,
        clock_limit=0,
        memory=memory // _CACHE_SHARE,
        table_memory=table_memory,
    )
    at_once = _known_at_once(searcher, pos, clocks.perf_counter(), stop)
    if at_once is not None:
        return at_once
    limits = Limits(time=time, nodes=nodes, stop=stop)
    if limits.is_endless and stop is None:
        limits = Limits(time=DEFAULT_TIME)
    searcher.warm_up()
    searcher.set_root(pos, pos.legal_moves(), (), inside=False, enough=stop)
    owner = tablebase if keep_solved else None
    with solving_for(pos, owner, solving_memory) as solving:
        prover = _Prover(searcher, pos, limits, memory, solving)
        try:
            prover.warm_up()
            return prover.play_on(prover.prove(clocks.perf_counter(), on_round), stop)
        finally:
            prover.close()


def _known_at_once(
    searcher: Searcher, pos: Position, start: float, stop: Callable[[], bool] | None
) -> Proof | None:
    """The proof of a finished game or of a table position."""
    value = pos.value_at_once
    if value is None:
        value = searcher.look_up(pos)
    if value is None:
        return None
    shown = table_line(searcher.tablebase, pos)
    line = play_on(searcher, pos, searcher.look_up, stop) if shown is None else shown
    tables = searcher.tablebase if shown else None
    plies = abs((tables.get_dtw(pos) if tables else None) or 0) or None
    outcome = ("loss", "draw", "win")[value + 1]
    return Proof(
        outcome, value, value, 0, 0, 0, line, plies, clocks.perf_counter() - start, table_hits=0
    )
