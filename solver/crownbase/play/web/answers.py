"""What the server says of a position, as JSON: lila-tablebase's keys, and what draughts needs.

``category``, ``wdl``, ``dtc`` and ``dtw`` of a move are values of the position after it, for the
opponent, as lila-tablebase has them; ``outcome`` is the same seen by who makes the move, and the
first move is the best.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from crownbase.board import Move, Position, paths
from crownbase.errors import CorruptTableError, CrownbaseError, MissingTableError
from crownbase.play.game import Game
from crownbase.play.hub_text import Dialect
from crownbase.play.player import Choice
from crownbase.play.position_words import reasons, status_words
from crownbase.play.render import turn_words
from crownbase.play.web.databases import Databases
from crownbase.probe import CATEGORIES, MoveInfo, Tablebase
from crownbase.rules import Rules

Json = dict[str, Any]
NOT_KNOWN = "unknown"
MOST_LINE = 400
"""Plies of a line; no known win of up to 8 pieces takes 300."""
_OTHER_SIDE = dict(zip(CATEGORIES, CATEGORIES[::-1], strict=True))
_COLOURS = {1: {"W": "w", "B": "b"}, -1: {"W": "b", "B": "w"}}


def position_answer(
    tables: Tablebase, position: Position, history: Sequence[Position] = ()
) -> tuple[Json, MissingTableError | None]:
    """All about a position; and, where nothing is known of it, the error that says what is missing.

    Where the value needs a table that is not here, ``category`` is ``unknown``; but a move that
    wins proves a win. Legal moves are always listed.
    """
    error = None
    answer = _head(position)
    ranked = tables.moves(position, history)
    try:
        result = tables.probe(position)
    except MissingTableError as missing:
        won = any(info.outcome == "win" for info in ranked)
        answer |= {"category": "win" if won else NOT_KNOWN, "wdl": 1 if won else None}
        answer |= {"dtc": None, "dtw": None}
        words: list[str] = []
        status = f"{turn_words(position.turn)}; no table here tells who wins"
        if won:
            status = f"{turn_words(position.turn)} wins"
        if not any(info.outcome for info in ranked):
            error = missing
    else:
        answer |= result.to_json()
        status = status_words(position, result)
        words = reasons(position, result, ranked)
    answer["variant_win"] = False
    answer["variant_loss"] = position.value_at_once == -1
    answer["moves"] = [_move_answer(position, info) for info in ranked]
    answer["tables"] = tables.used(position)
    answer["missing"] = tables.missing(position)
    answer["words"] = {"status": status, "reasons": words}
    return answer, error


def _head(position: Position) -> Json:
    return {
        "variant": position.rules.key,
        "rules": position.rules.key,
        "fen": position.fen(),
        "turn": position.turn,
        "clock": {"plies": position.clock, "limit": position.rules.quiet_limit},
    }


def _move_answer(position: Position, info: MoveInfo) -> Json:
    return {
        **move_names(position, info.move),
        **info.to_json(),
        "zeroing": info.conversion,
        "category": NOT_KNOWN if info.outcome is None else _OTHER_SIDE[info.outcome],
        "outcome": info.outcome or NOT_KNOWN,
    }


def move_names(position: Position, move: Move) -> Json:
    """A move in the ways that programs write it, with the squares that a hand visits.

    ``uci`` is lidraughts' form, two digits a square, with all squares of a capture; ``squares``
    are FEN numbers, for which several ways of a capture share one.
    """
    squares = [move.start, move.end]
    if move.captured:
        n = position.rules.board.n_squares
        way = next(paths.capture_ways(position.rules, position.boards, move.raw))
        landings = [hop[2] + 1 if position.turn == "W" else n - hop[2] for hop in way]
        squares = [move.start, *landings]
    return {
        "uci": "".join(f"{square:02d}" for square in squares),
        "pdn": str(move),
        "hub": Dialect(position.rules).write_move(move),
        "captures": list(move.captured),
        "squares": squares,
        "promotes": move.promotes,
    }


def line_answer(tables: Tablebase, position: Position) -> Json:
    """The best line: both sides follow the ranking of ``moves``.

    Raises:
        MissingTableError: a table is not here.
    """
    result = tables.probe(position)
    played = tables.line(position, MOST_LINE)
    winner = {"win": 1, "loss": -1}.get(result.category)
    return {
        **_head(position),
        **result.to_json(),
        "mainline": list(_steps(tables, position, played)),
        "winner": _COLOURS[winner][position.turn] if winner else None,
        "pdn": pdn_text(position, played),
    }


def _steps(tables: Tablebase, position: Position, played: Sequence[Move]) -> Iterator[Json]:
    for move in played:
        names = move_names(position, move)
        position = position.play(move)
        yield {
            **names,
            "fen": position.fen(),
            "dtw": tables.get_dtw(position),
            "dtc": tables.get_dtc(position),
        }


def pdn_text(position: Position, played: Sequence[Move]) -> str:
    """A line as a PDN game from its position."""
    game = Game(position.rules, position, play_on=True)
    for move in played:
        game.play(move)
    return game.pdn()


def batch_answer(tables: Tablebase, rules: Rules, fens: Sequence[str]) -> list[Json]:
    """Values of many positions, in their order; a faulty one has an ``error`` of its own."""
    answers: list[Json] = []
    for fen in fens:
        try:
            position = Position.from_fen(fen, rules=rules)
            answers.append({"fen": fen, **tables.probe(position).to_json()})
        except MissingTableError as error:
            missing = f"{error.material}.{error.metric}" if error.material else None
            answers.append({"fen": fen, "category": NOT_KNOWN, "missing": missing})
        except CorruptTableError as error:
            answers.append({"fen": fen, "error": damage_words(error)})
        except CrownbaseError as error:
            answers.append({"fen": fen, "error": str(error)})
    return answers


def play_answer(databases: Databases, position: Position, history: Sequence[Position]) -> Json:
    """The perfect player's move, and why it makes it.

    Raises:
        ValueError: the game is over in this position.
    """
    lock, player = databases.player(position)
    with lock:
        choice = player.choose(position, history)
    after = position.play(choice.move)
    return {
        **_head(position),
        "move": {**move_names(position, choice.move), "fen": after.fen()},
        "source": choice.source,
        "why": _why(choice),
    }


def _why(choice: Choice) -> str:
    """Why a player makes a move, in a sentence."""
    source, category = choice.source, choice.result.category
    plies, depth = choice.result.plies, choice.result.depth
    if source == "only":
        return "It is the only legal move."
    if source == "search":
        return f"A search of depth {depth} prefers it; no table tells the way from here."
    ways = {
        "win": "It wins{} whatever the opponent does.",
        "cursed-win": "It would win{}, but the draw clock comes first; the opponent may still err.",
        "draw": "It keeps the draw, and leaves the opponent the most ways to go wrong.",
        "blessed-loss": "The draw clock saves it.",
        "loss": "The position is lost; this resists longest{}.",
    }
    distance = "" if plies is None else f" in {plies} plies"
    if category == "loss":
        distance = "" if plies is None else f", {plies} plies"
    return ways[category or "draw"].format(distance)


def damage_words(error: CorruptTableError) -> str:
    """What strangers may know of a damaged table: its name, not where it lies."""
    return f"the table {os.path.basename(error.path)} of this server is damaged"


def rules_answer(rules: Rules, tables: Tablebase | None) -> Json:
    """What a page must know of a rule set: the board, names of squares, how a game begins."""
    board = rules.board
    return {
        "key": rules.key,
        "title": rules.title,
        "source": rules.source,
        "rows": board.rows,
        "columns": board.columns,
        "orthogonal": board.orthogonal,
        "coordinates": [list(place) for place in board.coordinates],
        "names": [board.name(square) for square in range(board.n_squares)],
        "letters": rules.notation.letters,
        "first": rules.first_player,
        "start": Position.start(rules).fen(),
        "limit": rules.quiet_limit,
        "draws": [draw.name for draw in (rules.draw, *rules.draw_presets)],
        "pieces": tables.max_pieces if tables else 0,
        "metrics": list(tables.metrics) if tables else [],
    }
