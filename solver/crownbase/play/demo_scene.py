"""A demonstration: a position, the games played from it, and how both are shown.

What is printed can be played again: every game from its FEN, with the plies on its draw clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from crownbase.board import Move, Position
from crownbase.play import render
from crownbase.play.game import Game
from crownbase.play.outcome import Outcome, occurrence_words

Dance = tuple[Position, tuple[Move, ...]]
"""A position, and four quiet moves that lead back to it."""


@dataclass(frozen=True)
class Scene:
    """A demonstration.

    Attributes:
        title: what it shows.
        position: where it begins; ``position.clock`` plies are on the draw clock.
        remarks: what to know beforehand.
        games: the games played from there, each with the draw rules it was played under.
    """

    title: str
    position: Position
    remarks: tuple[str, ...]
    games: tuple[tuple[str, Game], ...]


def fen_with_clock(position: Position) -> str:
    """The FEN, with ``:H`` if plies are on the draw clock."""
    return position.fen() + (f":H{position.clock}" if position.clock else "")


def scene_text(scene: Scene) -> str:
    """A scene for people: board, lines, what was said, and how they end by which article."""
    start = scene.position
    parts = [scene.title, "=" * len(scene.title), "", fen_with_clock(start), ""]
    parts += [render.position_text(start), "", render.turn_words(start.turn) + ".", *scene.remarks]
    shown: list[str] = []
    for name, game in scene.games:
        moves = [str(move) for move in game.moves]
        parts += ["", f"{name}:"]
        if fen_with_clock(game.start) != fen_with_clock(start):
            parts.append(f"from {fen_with_clock(game.start)}")
        if moves and moves == shown[: len(moves)]:
            parts.append(f"the same moves, {render.plies(len(moves))}")
        elif moves:
            parts.append(render.line_text(start, moves))
            shown = moves
        parts += notes(game)
        parts.append(f"-> {game.outcome() or 'the game goes on'}")
    return "\n".join(parts)


def notes(game: Game) -> list[str]:
    """What is said aloud: offers, claims and huffs by whom, and positions that come again."""
    found: list[tuple[int, str]] = []
    most = 1
    counts_setup = game.draw.repetition is None or game.draw.repetition.counts_setup
    positions = [*game.history, game.position]
    for ply, position in enumerate(positions):
        times = positions[not counts_setup : ply + 1].count(position)
        if times > most:
            first = positions.index(position)
            found += [(first, f"after {render.plies(first)}: {occurrence_words(1)}")] * (most == 1)
            most = times
            found.append((ply, f"after {render.plies(ply)}: {occurrence_words(times)}"))
    found += [(event.ply, f"after {render.plies(event.ply)}: {event}") for event in game.events]
    return [text for _, text in sorted(found, key=lambda one: one[0])]


def scene_json(scene: Scene) -> dict[str, Any]:
    """A scene for programs."""
    start = scene.position
    return {
        "rules": start.rules.key,
        "title": scene.title,
        "fen": fen_with_clock(start),
        "clock": start.clock,
        "remarks": list(scene.remarks),
        "games": [_game_json(name, game) for name, game in scene.games],
    }


def _game_json(name: str, game: Game) -> dict[str, Any]:
    outcome = game.outcome()
    events = [
        {"ply": event.ply, "side": event.side, "said": str(event.said), "detail": event.detail}
        for event in game.events
    ]
    return {
        "under": name,
        "fen": fen_with_clock(game.start),
        "draw": game.draw.name,
        "move_limit": game.move_limit,
        "moves": [str(move) for move in game.moves],
        "events": events,
        "result": game.result,
        "article": outcome.article if outcome else "",
        "words": str(outcome or ""),
    }


def play_out(game: Game, moves: tuple[Move, ...], claimant: str) -> Outcome | None:
    """Play on until the game is over; *claimant* (a side, or ``any``) claims what it can."""
    for move in moves:
        if game.outcome():
            break
        claims = game.claims() if claimant in ("any", game.turn) else ()
        if claims:
            game.claim_draw(claims[0].move)
            break
        game.play(move)
    else:
        claims = () if game.outcome() or claimant not in ("any", game.turn) else game.claims()
        if claims:
            game.claim_draw(claims[0].move)
    return game.outcome()


def back_and_forth(start: Position, there: Move) -> tuple[Move, ...]:
    """Four quiet moves that begin with *there* and end in *start*; empty if there are none."""
    if there.captured:
        return ()
    second = start.play(there)
    for reply in second.legal_moves():
        third = second.play(reply)
        back = next((m for m in third.legal_moves() if _undoes(m, there)), None)
        if reply.captured or back is None:
            continue
        fourth = third.play(back)
        home = next((m for m in fourth.legal_moves() if _undoes(m, reply)), None)
        if home is not None:
            return there, reply, back, home
    return ()


def _undoes(move: Move, earlier: Move) -> bool:
    return (move.start, move.end) == (earlier.end, earlier.start) and not move.captured
