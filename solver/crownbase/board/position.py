"""``Position`` and ``Move``: what users hold in their hands."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from crownbase.board import generator, paths
from crownbase.board.characters import look_alike_words, plain_text
from crownbase.board.fen import FenFields, check_boards, read_fen, write_fen
from crownbase.board.generator import Boards, RawMove
from crownbase.errors import IllegalMoveError
from crownbase.rules import Rules, find_rules

_SEPARATORS = re.compile(r"[-x:*]", re.IGNORECASE)
_CAPTURE_SIGNS = re.compile(r"[x:*]", re.IGNORECASE)
_MOST_NEAR = 12  # legal moves that a message names


@dataclass(frozen=True)
class Move:
    """A legal move of one position. Squares are FEN numbers.

    Attributes:
        start, end: where the piece leaves and arrives; the same for a capture that returns.
        captured: the squares of the taken pieces, ascending.
        promotes: whether a man becomes a king.
        is_conversion: whether the move restarts the draw clock and so ends a DTC count: a
            capture, or in most rule sets a forward move of a man.
        text: the move as PDN writes it; ``str(move)`` is the same.
    """

    start: int
    end: int
    captured: tuple[int, ...]
    promotes: bool = field(compare=False)
    is_conversion: bool = field(compare=False)
    text: str = field(compare=False)
    raw: RawMove = field(repr=False)

    @property
    def is_capture(self) -> bool:
        """Whether the move takes something.

        >>> [move.is_capture for move in cb.Position.from_fen("W:W15:B11").legal_moves()]
        [True]
        """
        return bool(self.captured)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, repr=False)
class Position:
    """A position and the side to move; immutable.

    ``from_fen`` and ``from_boards`` refuse what no position can be; the constructor trusts its
    caller.

    Attributes:
        rules: the rule set.
        turn: ``"W"`` or ``"B"``.
        white_men, white_kings, black_men, black_kings: bit boards, bit 0 = square 1.
        clock: plies since the last conversion, as far as known (FEN ``H``); not compared.
    """

    rules: Rules
    turn: str
    white_men: int
    white_kings: int
    black_men: int
    black_kings: int
    clock: int = field(default=0, compare=False)

    def __repr__(self) -> str:
        """The FEN and the key of the rules."""
        return f"<Position {self.fen()} {self.rules.key}>"

    def __post_init__(self) -> None:
        """Refuse what no position can be, at the cost of a few bit operations.

        Raises:
            IllegalPositionError: shared squares, a man on its crown row, squares off the board.
        """
        men_and_kings = (self.white_men, self.white_kings, self.black_men, self.black_kings)
        everything = self.white_men | self.white_kings | self.black_men | self.black_kings
        n, width = self.rules.board.n_squares, self.rules.board.width
        if (
            everything <= 0
            or everything >> n
            or sum(map(int.bit_count, men_and_kings)) != everything.bit_count()
            or self.white_men & ((1 << width) - 1)
            or self.black_men >> (n - width)
        ):
            check_boards(self._fields, self.rules)

    @classmethod
    def from_fen(cls, fen: str, rules: str | Rules = "english") -> Position:
        """Read a position; what is understood is in ``board.fen``.

        Raises:
            FenError, IllegalPositionError: one line that says what is wrong and where.
            UnknownRulesError: no such rule set.

        >>> cb.Position.from_fen("W:WK19,K23:B12,K28")
        <Position W:WK19,K23:B12,K28 english>
        >>> cb.Position.from_fen("W:Wc3:Bd4", rules="russian").fen()
        'W:Wc3:Bd4'
        """
        rule_set = find_rules(rules)
        if fen.strip().lower() == "start":
            return cls.start(rule_set)
        read = read_fen(fen, rule_set)
        return cls(
            rule_set,
            read.turn,
            read.white_men,
            read.white_kings,
            read.black_men,
            read.black_kings,
            read.clock,
        )

    @classmethod
    def start(cls, rules: str | Rules = "english") -> Position:
        """The position in which a game begins.

        >>> cb.Position.start("international").pieces
        40
        """
        rule_set = find_rules(rules)
        width = rule_set.board.width
        black = ((1 << rule_set.men_rows * width) - 1) << rule_set.empty_back_rows * width
        white = generator.turn_boards(rule_set, black)
        return cls(rule_set, rule_set.first_player, white, 0, black, 0)

    @classmethod
    def from_boards(cls, rules: str | Rules, turn: str, boards: Boards) -> Position:
        """A position from (own men, own kings, opponent's men, opponent's kings), mover's frame.

        Raises:
            IllegalPositionError: shared squares, a man on its crown row, squares off the board.

        >>> cb.Position.from_boards("english", "W", (0, 1 << 17, 0, 1))
        <Position W:WK18:BK1 english>
        """
        return cls._from_mover(find_rules(rules), turn, boards, 0)

    @classmethod
    def _from_mover(cls, rules: Rules, turn: str, boards: Boards, clock: int) -> Position:
        om, ok, pm, pk = boards
        if turn == "W":
            return cls(rules, turn, om, ok, pm, pk, clock)
        turned = [generator.turn_boards(rules, board) for board in (pm, pk, om, ok)]
        return cls(rules, turn, turned[0], turned[1], turned[2], turned[3], clock)

    @property
    def _fields(self) -> FenFields:
        return FenFields(
            self.turn, self.white_men, self.white_kings, self.black_men, self.black_kings
        )

    @cached_property
    def boards(self) -> Boards:
        """(own men, own kings, opponent's men, opponent's kings) in the mover's frame.

        >>> cb.Position.from_fen("W:WK18:BK1").boards == (0, 1 << 17, 0, 1)
        True
        """
        if self.turn == "W":
            return self.white_men, self.white_kings, self.black_men, self.black_kings
        turned = [
            generator.turn_boards(self.rules, board)
            for board in (self.black_men, self.black_kings, self.white_men, self.white_kings)
        ]
        return turned[0], turned[1], turned[2], turned[3]

    @property
    def pieces(self) -> int:
        """Number of pieces on the board.

        >>> pos.pieces
        4
        """
        occupied = self.white_men | self.white_kings | self.black_men | self.black_kings
        return occupied.bit_count()

    @property
    def is_lone_pieces_draw(self) -> bool:
        """Whether the game is drawn at once because each side has one piece (Turkish).

        >>> cb.Position.from_fen("W:WKa1:BKh8", rules="turkish").is_lone_pieces_draw
        True
        """
        om, ok, pm, pk = self.boards
        return (
            self.rules.lone_pieces_draw
            and (om | ok).bit_count() == 1
            and (pm | pk).bit_count() == 1
        )

    def fen(self) -> str:
        """The canonical FEN: White first, numeric order, no blanks.

        >>> cb.Position.from_fen("w: b12 , K28: wk23,k19").fen()
        'W:WK19,K23:B12,K28'
        """
        return write_fen(self._fields, self.rules)

    def __str__(self) -> str:
        return self.fen()

    @cached_property
    def _moves(self) -> tuple[Move, ...]:
        raw_moves = generator.list_moves(self.rules, self.boards)
        ends = Counter((raw.start, raw.end, raw.captured != 0) for raw in raw_moves)
        made = [
            self._make_move(raw, ends[raw.start, raw.end, raw.captured != 0] > 1)
            for raw in raw_moves
        ]
        return tuple(sorted(made, key=lambda move: (move.start, move.end, move.captured)))

    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves, by start, end and taken pieces.

        By the rules of movement alone: a side without a move has lost, but a position that is
        drawn at once (``is_lone_pieces_draw``) may have moves. ``Game.legal_moves`` knows the end.

        >>> [str(move) for move in pos.legal_moves()[:3]]
        ['19-15', '19-16', '19-24']
        """
        return self._moves

    @property
    def value_at_once(self) -> int | None:
        """The value where the rules end the game: 0 one piece each, -1 no move; else None.

        >>> cb.Position.from_fen("W:W32:B23,24,27,28").value_at_once
        -1
        >>> pos.value_at_once is None
        True
        """
        if self.is_lone_pieces_draw:
            return 0
        return None if self._moves else -1

    def play(self, move: Move | str) -> Position:
        """The position after a legal move, given as a ``Move`` or as text.

        Raises:
            IllegalMoveError: not legal here, or a text that fits several moves.

        >>> pos.play("23-27").fen()
        'B:WK19,K27:B12,K28'
        """
        chosen = self.parse_move(move) if isinstance(move, str) else move
        if chosen not in self._moves:
            raise IllegalMoveError(f"{chosen} is not legal in {self.fen()}")
        clock = 0 if chosen.is_conversion else self.clock + 1
        after = generator.play_raw(self.rules, self.boards, chosen.raw)
        return self._from_mover(self.rules, "B" if self.turn == "W" else "W", after, clock)

    def parse_move(self, text: str) -> Move:
        """The legal move that a text means: ``11-15``, ``15x24``, ``15x22x29``, ``c3:e5``.

        The squares decide. The sign between them does only where a quiet move and a capture share
        start and end, as flying kings may where captures are optional: ``21-14`` is the quiet move
        then, ``21x14`` the capture. Squares in the middle choose among captures that share start
        and end. What ``str(move)`` writes is always read back as that move.

        Raises:
            IllegalMoveError: no legal move, or more than one, fits.

        >>> pos.parse_move("23-27").end
        27
        """
        fitting = self.moves_meant(text)
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            ways = ", ".join(move.text for move in fitting)
            raise IllegalMoveError(f"{text!r} can mean several captures; write one of: {ways}")
        near = self.moves_near(text)
        more = ", ..." if len(near) > _MOST_NEAR else ""
        words = f"; legal here: {', '.join(move.text for move in near[:_MOST_NEAR])}{more}"
        if not near:
            words = ": there is no legal move"
        raise IllegalMoveError(f"{text!r} is not legal in {self.fen()}{words}")

    def moves_meant(self, text: str) -> tuple[Move, ...]:
        """The legal moves that a text can mean; several if it leaves out what tells them apart.

        Squares in the middle are compared with the squares that ``str(move)`` writes first, then
        with those where a capture turns, and only if nothing fits with all squares that it
        crosses.

        Raises:
            IllegalMoveError: no text of a move.

        >>> [str(move) for move in pos.moves_meant("23-27")]
        ['23-27']
        """
        parts = _SEPARATORS.split(plain_text(text).strip())
        if len(parts) > self.rules.board.n_squares * 3:
            raise IllegalMoveError(f"{text[:20]!r}... names too many squares for a move")
        squares = [self._read_square(part, text) for part in parts]
        if len(squares) < 2:
            raise IllegalMoveError(f"{text!r} is no move; write start and end, as in 11-15")
        start, end = squares[0], squares[-1]
        fitting = [move for move in self._moves if (move.start, move.end) == (start, end)]
        if len({move.is_capture for move in fitting}) > 1:
            captures = len(squares) > 2 or _CAPTURE_SIGNS.search(plain_text(text)) is not None
            fitting = [move for move in fitting if move.is_capture == captures]
        for move in fitting:
            if squares == [self._read_square(part, text) for part in _SEPARATORS.split(move.text)]:
                return (move,)
        if len(squares) == 2:
            return tuple(fitting)
        middle = [self._mover_square(square) for square in squares[1:-1]]
        taking = [move for move in fitting if move.captured]
        for squares_of in (paths.turning_squares, paths.crossed_squares):
            fitting = [
                move
                for move in taking
                if paths.passes(self.rules, self.boards, move.raw, middle, squares_of)
            ]
            if fitting:
                break
        return tuple(fitting)

    def _read_square(self, part: str, text: str) -> int:
        part = part.strip().lower()
        if part.isascii() and part.isdigit() and len(part) < 6:
            if 1 <= int(part) <= self.rules.board.n_squares:
                return int(part)
        elif self.rules.notation.reads_letters and part in self.rules.board.names:
            return self.rules.board.names[part] + 1
        last = self.rules.square_name(self.rules.board.n_squares - 1)
        raise IllegalMoveError(
            f"no square {part!r} in move {text!r}; squares of {self.rules.title} are "
            f"{self.rules.square_name(0)} to {last}{look_alike_words(part)}"
        )

    def moves_near(self, text: str) -> list[Move]:
        """The legal moves that somebody who wrote *text* may have meant, else all.

        >>> [str(move) for move in pos.moves_near("23-99")]
        ['23-18', '23-26', '23-27']
        """
        first = _SEPARATORS.split(plain_text(text).strip())[0]
        try:
            start = self._read_square(first, text)
        except IllegalMoveError:
            start = 0
        near = [move for move in self._moves if move.start == start]
        if not near:
            texts = {move.text: move for move in self._moves}
            near = [texts[t] for t in difflib.get_close_matches(text[:40], texts, 5, 0.4)]
        return near or list(self._moves)

    def _number(self, mover_square: int) -> int:
        """The FEN number of a square index of the mover's frame."""
        n = self.rules.board.n_squares
        return mover_square + 1 if self.turn == "W" else n - mover_square

    def _mover_square(self, number: int) -> int:
        """The inverse of ``_number``."""
        n = self.rules.board.n_squares
        return number - 1 if self.turn == "W" else n - number

    def _make_move(self, raw: RawMove, ambiguous: bool) -> Move:
        captured = tuple(
            sorted(
                self._number(square)
                for square in range(self.rules.board.n_squares)
                if raw.captured >> square & 1
            )
        )
        if ambiguous:
            squares = paths.written_squares(self.rules, self.boards, raw)
        else:
            squares = [raw.start, raw.end]
        sign = self.rules.notation.capture_sign if captured else "-"
        text = sign.join(self.rules.square_name(self._number(s) - 1) for s in squares)
        # A sideways move (Turkish) can be taken back, so it converts nothing.
        width = self.rules.board.width
        forward = not raw.king_before and raw.start // width != raw.end // width
        man_converts = self.rules.man_moves_convert and forward
        return Move(
            start=self._number(raw.start),
            end=self._number(raw.end),
            captured=captured,
            promotes=raw.king_after and not raw.king_before,
            is_conversion=bool(captured) or man_converts,
            text=text,
            raw=raw,
        )


def perft(position: Position, depth: int) -> int:
    """Number of legal move sequences of *depth* plies; moves are distinct (from, to, captured).

    Raises:
        ValueError: a negative depth.

    >>> cb.perft(cb.Position.start("english"), 3)
    302
    """
    if depth < 0:
        raise ValueError(f"perft depth must be 0 or more, not {depth}")
    return generator.perft_nodes(position.rules, position.boards, depth)
