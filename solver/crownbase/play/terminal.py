"""A game in the terminal: the board as text, one line of input for each turn.

What is typed is a move (``11-15``, ``e3-f4``), the number of a move of the list, or a command of
``COMMANDS``; a command may be shortened as long as it stays clear.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from crownbase._paths import check_writable, typed_path
from crownbase.errors import (
    CrownbaseError,
    IllegalMoveError,
    MissingTableError,
)
from crownbase.play.game import Game
from crownbase.play.huffing import without_piece
from crownbase.play.numbering import move_number
from crownbase.play.outcome import COLOURS, OTHER
from crownbase.play.player import Choice, Player
from crownbase.play.render import line_text, moves_table, position_text, turn_words, value_words
from crownbase.play.thinking import Show, Thinking, limits_left

if TYPE_CHECKING:
    from crownbase.probe import Tablebase

COMMANDS = {
    "moves": "list the legal moves with their numbers",
    "hint": "the move that the strongest player would make, and its score",
    "values": "what the tables say of the position and of every move",
    "undo": "take back your last move and the answer to it",
    "huff": "`huff SQUARE`: remove a piece that could have taken; then move",
    "offer": "offer a draw",
    "accept": "accept the draw that is offered",
    "decline": "decline the draw that is offered",
    "claim": "claim a draw by the rules; `claim MOVE` shows the move that makes it one",
    "resign": "give the game up",
    "switch": "turn the sides: the player takes yours",
    "rematch": "begin another game with the sides swapped",
    "board": "draw the board again",
    "fen": "the position as FEN",
    "pdn": "the game so far as PDN",
    "save": "`save FILE`: append the game to a PDN file",
    "help": "this list",
    "quit": "stop; the game is saved if --save named a file",
}


class Terminal:
    """One game between a person and a player.

    Args:
        game: where it starts.
        player: who answers.
        tables: what `values` asks, None = nothing.
        human: sides that a person moves: ``W``, ``B``, ``WB`` or nothing.
        save: PDN file to which the game is appended at its end.
        read, write: input of a line after a prompt (EOFError at its end), output of a text.
        turn_time: seconds that a person has for a turn, None = no limit; who needs more has lost.
            It is looked at when a line is typed, and all lines of a turn count together.
        show: where the player's thinking is seen, a text in place of the one before; None = not.
        stay: after the end, wait for ``rematch`` and the like.
        clock: seconds of a clock that only goes on.
    """

    def __init__(
        self,
        game: Game,
        player: Player,
        tables: Tablebase | None,
        human: str,
        save: Path | None = None,
        read: Callable[[str], str] = input,
        write: Callable[[str], None] = print,
        *,
        turn_time: float | None = None,
        show: Show | None = None,
        stay: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.game = game
        self.player = player
        self.tables = tables
        self.human = human
        self._save_to = save
        self._read = read
        self._write = write
        self._turn_time = turn_time
        self._show = show
        self._stay = stay
        self._clock = clock
        self._turn_began: float | None = None  # when the person was asked first in this turn
        self._running = True

    def run(self) -> None:
        """Play until the game is over or the person leaves; or, if they stay, until they do."""
        self._draw_board()
        if self.human:
            self._write("type a move, its number, or `help`")
            if self._turn_time is not None:
                self._write(f"who needs more than {self._turn_time:g} s for a turn has lost")
        while self._running:
            game = self.game
            self._play_on()
            if game.is_over and game is self.game:
                self._write(f"{game.result}: {game.outcome()}")
            if self._save_to is not None and game.ply:
                self._append(self._save_to)
            if not (self._running and self._stay and game.is_over):
                return
            self._write("`rematch` for another game with the sides swapped, or `quit`")
            while self._running and self.game.is_over:
                self._ask()

    def _play_on(self) -> None:
        """Turn after turn, to the end of the game or until the person leaves."""
        while self._running and not self.game.is_over:
            if self.game.turn in self.human:
                self._ask()
            else:
                self._answer()

    # -- turns -----------------------------------------------------------------------------------

    def _ask(self) -> None:
        if self._turn_began is None:
            self._turn_began = self._clock()
        try:
            text = self._read(f"{self._prompt()} ").strip()
        except EOFError:
            self._running = False
            return
        if not text or self._is_late(text):
            return
        word, _, rest = text.partition(" ")
        try:
            if not re.fullmatch(r"[a-z]{2,}|[a-z](?![0-9])", word.lower()):
                self._move(text)
            else:
                getattr(self, f"_do_{self._command(word.lower())}")(rest.strip())
        except (CrownbaseError, OSError) as error:
            self._write(str(error))

    def _is_late(self, text: str) -> bool:
        """Whether the turn took too long, which loses the game; who quits need not hear of it."""
        if self._turn_time is None or self._turn_began is None or self.game.is_over:
            return False
        spent = self._clock() - self._turn_began
        if spent <= self._turn_time or "quit".startswith(text.lower()):
            return False
        side = self.game.turn
        words = f"{COLOURS[side]} took {spent:.1f} s for a turn of {self._turn_time:g} s"
        self.game.forfeit(side, words)
        return True

    def _prompt(self) -> str:
        if self.game.is_over:
            return "over:"
        left = ""
        if self._turn_time is not None and self._turn_began is not None:
            seconds = self._turn_time - (self._clock() - self._turn_began)
            left = f" [{max(seconds, 0.0):.0f} s]"
        return move_number(self.game.start, self.game.ply) + left

    def _command(self, word: str) -> str:
        fitting = [name for name in COMMANDS if name.startswith(word)]
        if word in COMMANDS or len(fitting) == 1:
            return word if word in COMMANDS else fitting[0]
        if fitting:
            raise IllegalMoveError(f"{word!r} can mean {' or '.join(fitting)}")
        raise IllegalMoveError(f"no command {word!r}; type a move or `help`")

    def _move(self, text: str) -> None:
        legal = self.game.legal_moves()
        if re.fullmatch("[0-9]{1,4}", text) and 1 <= int(text) <= len(legal):
            self._play(str(legal[int(text) - 1]), "")
        else:
            self._play(text, "")

    def _answer(self) -> None:
        with Thinking(self._show) as thinking:
            self._player_huffs()
            if self.game.is_over or self._player_ends_it():
                return
            game = self.game
            choice = self.player.choose(game.position, game.history, on_depth=thinking.heard)
        self._play(str(choice.move), _words_of(choice, self.player.is_compiling))

    def _player_huffs(self) -> None:
        game = self.game
        huffs = {square: without_piece(game.position, square) for square in game.huffs()}
        square = self.player.choose_huff(game.position, huffs) if huffs else None
        if square is not None:
            game.huff(square)
            self._write(str(game.events[-1]))

    def _player_ends_it(self) -> bool:
        """The player answers an offer, and claims a draw that it does not want to miss."""
        game = self.game
        wants_draw = None
        if game.draw_offer in set(self.human):
            wants_draw = self.player.accepts_draw(game.position, game.turn, game.history)
            if wants_draw:
                game.accept_draw()
                return True
            game.decline_draw()
            self._write("no draw, thank you")
        if game.can_claim_draw():
            if wants_draw is None:
                wants_draw = self.player.accepts_draw(game.position, game.turn, game.history)
            if wants_draw:
                game.claim_draw(game.claims()[0].move)
                return True
        return False

    def _play(self, text: str, comment: str) -> None:
        turn = self.game.turn
        move = self.game.play(text)
        self._turn_began = None
        if turn not in self.human or comment:
            self._write(f"{turn}: {move}{comment}")
        self._draw_board()

    def _draw_board(self) -> None:
        position = self.game.position
        self._write(f"\n{position_text(position)}\n\n{turn_words(position.turn)}\n")
        if not self.game.is_over:
            for words in limits_left(self.game):
                self._write(words)
        names = [self.game.rules.square_name(square - 1) for square in self.game.huffs()]
        if names and not self.game.is_over and self.game.turn in self.human:
            self._write(f"you may huff {' or '.join(names)} before you move")
        if self.game.draw_offer:
            self._write("a draw is offered: accept or decline, or play on")

    # -- commands --------------------------------------------------------------------------------

    def _do_moves(self, rest: str) -> None:
        for number, move in enumerate(self.game.legal_moves(), 1):
            self._write(f"{number:>3}  {move}")

    def _do_hint(self, rest: str) -> None:
        seconds, loader = self.player.seconds, self.player.loader
        adviser = Player(self.game.rules, self.tables, seconds=seconds, loader=loader)
        with Thinking(self._show) as thinking:
            choice = adviser.choose(self.game.position, self.game.history, on_depth=thinking.heard)
        self._write(f"{choice.move}{_words_of(choice, self.player.is_compiling)}")
        if len(choice.result.pv) > 1 and choice.source == "search":
            self._write(line_text(self.game.position, [str(move) for move in choice.result.pv]))

    def _do_values(self, rest: str) -> None:
        if self.tables is None:
            self._write("no tables are open")
            return
        position = self.game.position
        ranked = self.tables.moves(position, self.game.history)
        if not any(info.outcome for info in ranked):
            self._write(
                f"the tables do not reach this; they end at {self.tables.max_pieces} pieces"
            )
            return
        try:
            known = self.tables.probe(position)
        except MissingTableError:
            self._write("the tables know only some of the moves")
        else:
            self._write(value_words(position.turn, known.category, known.dtc, known.dtw))
        self._write(moves_table(ranked))

    def _do_undo(self, rest: str) -> None:
        self.game.undo()
        # Back to a turn of the person; the player would only make the same move again.
        while self.game.ply and self.game.turn not in self.human:
            self.game.undo()
        self._turn_began = None
        self._draw_board()

    def _do_huff(self, rest: str) -> None:
        known = self.game.huffs()
        self.game.huff(rest or (known[0] if len(known) == 1 else "no square"))
        self._write(str(self.game.events[-1]))
        self._draw_board()

    def _do_offer(self, rest: str) -> None:
        game = self.game
        game.offer_draw()
        if self.human == "WB":
            self._write("offered; it stands until the opponent moves")
        elif self.player.accepts_draw(game.position, OTHER[game.turn], game.history):
            game.accept_draw()
        else:
            game.decline_draw()
            self._write("no draw, thank you")

    def _do_accept(self, rest: str) -> None:
        self.game.accept_draw()

    def _do_decline(self, rest: str) -> None:
        self.game.decline_draw()

    def _do_claim(self, rest: str) -> None:
        claims = self.game.claims()
        shown = rest or (str(claims[0].move) if claims and claims[0].move else None)
        self.game.claim_draw(shown)

    def _do_resign(self, rest: str) -> None:
        self.game.resign()

    def _do_switch(self, rest: str) -> None:
        self._turn_began = None
        self.human = "".join(side for side in "WB" if side not in self.human) or "W"

    def _do_rematch(self, rest: str) -> None:
        if not self.game.is_over:
            self._write("this game goes on; `resign` ends it")
            return
        self.game = Game(fen=self.game.start)
        self.player.new_game()
        self.human = OTHER.get(self.human, self.human)
        self._turn_began = None
        self._draw_board()

    def _do_board(self, rest: str) -> None:
        self._draw_board()

    def _do_fen(self, rest: str) -> None:
        self._write(self.game.fen(counters=True))

    def _do_pdn(self, rest: str) -> None:
        self._write(self.game.pdn())

    def _do_save(self, rest: str) -> None:
        target = typed_path(rest) if rest else self._save_to
        if target is None:
            self._write("name a file: save FILE")
        else:
            self._append(target)

    def _do_help(self, rest: str) -> None:
        for name, words in COMMANDS.items():
            self._write(f"  {name:<8} {words}")

    def _do_quit(self, rest: str) -> None:
        self._running = False

    def _append(self, target: Path) -> None:
        check_writable(target)
        new = not target.exists() or not target.stat().st_size
        with target.open("a", encoding="utf-8") as file:
            file.write(("" if new else "\n") + self.game.pdn().rstrip() + "\n")
        self._write(f"saved to {target}")


def _words_of(choice: Choice, compiling: bool = False) -> str:
    """Where a choice comes from and what it is worth, as a remark behind the move.

    *compiling*: the search is still to be compiled, which explains a small depth.
    """
    result = choice.result
    if choice.source == "only":
        return ""
    if choice.source == "table":
        length = f" in {result.plies} plies" if result.plies is not None else ""
        return f"  (table: {result.category}{length})"
    proven = f", proven {result.category}" if result.category else ""
    meanwhile = ", still compiling" if compiling else ""
    return f"  (score {result.score:+.2f}, depth {result.depth}{proven}{meanwhile})"
