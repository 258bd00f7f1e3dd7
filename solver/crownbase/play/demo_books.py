"""Scenes that need no tables: rules of the books played out by waiting moves, and what players say.

Each function gives the scenes of one rule, and none where the rule set does not have it. Positions
are given by the shape of the board, so that a rule is shown wherever it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from crownbase.board import Position
from crownbase.errors import IllegalMoveError
from crownbase.play.demo_scene import Dance, Scene
from crownbase.play.game import Game
from crownbase.rules import DrawRules, Rules
from crownbase.rules.draw import AUTOMATIC, CLAIM_WITH_MOVE, COUNT_RUNS, WEAK, ClassClock, main_road

ON_ROAD = {50: "W:WK1,K2,K3:BK28", 32: "W:WK30,K31,K32:BK29"}
"""Three kings against one that holds the main road alone, by number of squares."""
A_CAPTURE = {50: "B:WK33,K6,K50:BK42:H30"}
"""Three kings, one of which is taken on the next ply; 30 plies are counted."""
SHUT_IN = {  # (orthogonal, dark corner, squares): Black shuts the last white man in
    (False, "left", 32): "B:W5:B1,14",
    (False, "left", 50): "B:W6:B1,22",
    (False, "right", 32): "B:W8:B4,15",
    (True, "left", 64): "B:W9:B1,10,11,17,29",
}
REFUSED = ("11-15", "22-18", "8-11")
"""English: Black leaves 15x22 and moves another man."""


def scenes(rules: Rules, dance: Dance) -> Iterator[Scene]:
    """All scenes of this module that a rule set has; *dance*: kings that can shuffle for ever."""
    yield from wrong_claim(rules, dance)
    yield from main_road_scenes(rules)
    yield from capture_scenes(rules)
    yield from two_kings_each(rules, dance)
    yield agreement(rules)
    yield move_limit(rules, dance)
    yield from shut_in(rules)
    if rules.huffing:
        yield huffing(rules)
    elif not rules.captures_mandatory:
        yield optional_capture(rules)


def wrong_claim(rules: Rules, dance: Dance) -> Iterator[Scene]:
    """A claim before its time, refused, and the same claim when it is right."""
    again = rules.draw.repetition
    if again is None or again.declared == AUTOMATIC:
        return
    start, moves = dance
    game = Game(rules, start)
    early = len(moves) * (again.times - 2)
    refused = ""
    for ply, move in enumerate(moves * again.times):
        shown = move if again.declared == CLAIM_WITH_MOVE else None
        claims = game.claims()
        if claims:
            game.claim_draw(claims[0].move)
            break
        if ply == early:
            try:
                game.claim_draw(shown)
            except IllegalMoveError as error:
                refused = str(error)
        game.play(move)
    remarks = (
        f"After {early} plies the side to move claims too early: {refused}.",
        "A refused claim costs nothing on the board: the same side is still to move.",
    )
    yield Scene("A wrong claim and a right one", start, remarks, ((game.draw.name, game),))


def main_road_scenes(rules: Rules) -> Iterator[Scene]:
    """The lone king on the main road: the count runs out, and what stepping off does to it."""
    fen = ON_ROAD.get(rules.board.n_squares)
    if fen is None:
        return
    start = Position.from_fen(fen, rules)
    for book in (rules.draw, *rules.draw_presets):
        clock = next((one for one in book.class_clocks if one.road == WEAK), None)
        if clock is None:
            continue
        stays, leaves = _road_games(start, book, clock)
        does = "goes on" if clock.off_road == COUNT_RUNS else f"is {clock.off_road}"
        remark = f"Off the road the count {does} ({clock.article}, {book.name})."
        games = (("the king stays on the road", stays), ("it steps off after 4 plies", leaves))
        yield Scene(f"{_capital(clock.name)} ({book.name})", start, (remark,), games)


def _road_games(start: Position, book: DrawRules, clock: ClassClock) -> tuple[Game, Game]:
    road = main_road(start.rules.board)

    def on_road(position: Position) -> bool:
        return bool(position.black_kings & road) and not position.white_kings & road

    stays, leaves = Game(fen=start, draw=book), Game(fen=start, draw=book)
    shuffle(stays, clock.plies, on_road)
    shuffle(leaves, 4, on_road)
    shuffle(
        leaves, clock.plies - 2, lambda after: after.turn == "B" or not after.black_kings & road
    )
    return stays, leaves


def capture_scenes(rules: Rules) -> Iterator[Scene]:
    """Whether a capture gives new moves: each book that says something about the material."""
    fen = A_CAPTURE.get(rules.board.n_squares)
    books = [book for book in (rules.draw, *rules.draw_presets) if book.class_clocks]
    carried = any(one.carries_into and not one.road for one in rules.draw.class_clocks)
    if fen is None or not carried:
        return
    start = Position.from_fen(fen, rules)
    games = []
    for book in books:
        game = Game(fen=start, draw=book)
        game.play(next(move for move in game.legal_moves() if move.captured))
        shuffle(game, 2 * start.clock)
        games.append((book.name, game))
    remark = f"{start.clock} plies of the 16 moves of each have been played."
    yield Scene("A capture does not extend the count", start, (remark,), tuple(games))


def two_kings_each(rules: Rules, dance: Dance) -> Iterator[Scene]:
    """The clock of four or five pieces with kings on both sides, on its last two plies."""
    for book in (rules.draw, *rules.draw_presets):
        for clock in book.class_clocks:
            limit = book.quiet_limit
            if clock.stronger((0, 2), (0, 2)) and (limit is None or limit > clock.plies):
                start = replace(dance[0], clock=clock.plies - 2)
                game = Game(fen=start, draw=book)
                for move in dance[1][:2]:
                    game.play(move)
                title = f"{_capital(clock.name)}: {clock.moves} moves of each ({book.name})"
                remark = f"{start.clock} plies have been played so ({clock.article})."
                yield Scene(title, start, (remark,), ((book.name, game),))
                break


def agreement(rules: Rules) -> Scene:
    """An offer that is declined by a move, and one that is accepted."""
    game = Game(rules)
    game.offer_draw()
    game.play(game.legal_moves()[0])
    game.play(game.legal_moves()[0])
    game.offer_draw()
    game.accept_draw()
    remark = "An offer stands until the opponent moves, which declines it."
    return Scene("A draw by agreement", game.start, (remark,), ((game.draw.name, game),))


def move_limit(rules: Rules, dance: Dance) -> Scene:
    """A limit for the whole game, as ``--move-limit`` sets it."""
    start, moves = dance
    game = Game(rules, start, move_limit=3)
    for move in moves[:3]:
        game.play(move)
    return Scene("A move limit of 3 plies", start, (), (("--move-limit 3", game),))


def shut_in(rules: Rules) -> Iterator[Scene]:
    """A side with pieces and no move has lost."""
    board = rules.board
    fen = SHUT_IN.get((board.orthogonal, board.dark_corner, board.n_squares))
    if fen is None:
        return
    start = Position.from_fen(fen, rules)
    for move in start.legal_moves():
        if not move.captured and not start.play(move).legal_moves():
            game = Game(rules, start)
            game.play(move)
            yield Scene("Blocked is lost", start, (), ((game.draw.name, game),))
            return


def optional_capture(rules: Rules) -> Scene:
    """A capture that is possible and not made."""
    game = Game(rules)
    for text in REFUSED:
        game.play(text)
    remark = "On its second move Black could take and moves otherwise, which is legal here."
    return Scene("A capture that is not made", game.start, (remark,), ((game.draw.name, game),))


def huffing(rules: Rules) -> Scene:
    """The same, and the piece that should have taken is huffed."""
    game = Game(rules)
    for text in REFUSED:
        game.play(text)
    game.huff(game.huffs()[0])
    game.play("18-14")
    remark = "Black could take and moved otherwise: White removes the piece and then moves."
    return Scene("A piece is huffed", game.start, (remark,), ((rules.source, game),))


def shuffle(game: Game, plies: int, keep: Callable[[Position], bool] = lambda _: True) -> None:
    """Play on by quiet moves that offer nothing, into positions that *keep* allows.

    Positions that have not occurred come first. It ends early if the game does, or nothing is left.
    """
    for _ in range(plies):
        moves = []
        for move in game.legal_moves():
            after = game.position.play(move)
            offers = any(reply.captured for reply in after.legal_moves())
            if not move.is_conversion and not offers and keep(after):
                moves.append((game.occurrences(after), move))
        if not moves:
            return
        game.play(min(moves, key=lambda one: one[0])[1])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
