"""A rule set in words: what its fields mean to a player. Pure functions, nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crownbase.play.outcome import COLOURS, class_words, ordinal
from crownbase.rules.draw import (
    AUTOMATIC,
    CLAIM,
    CLAIM_WITH_MOVE,
    COUNT_LOST,
    COUNT_PAUSED,
    COUNT_RUNS,
    MATERIAL,
    ClassClock,
)

if TYPE_CHECKING:
    from crownbase.rules import DrawRules, Rules

_CHOICES = {
    "most-pieces": "one that takes the most pieces",
    "with-king": "one made by a king",
    "most-kings": "one that takes the most kings",
    "kings-first": "one that takes kings as early as it can",
}
_PROMOTION = {
    "stop": "a man that reaches the last row in a capture is crowned, and its move ends",
    "king": "a man that reaches the last row in a capture is crowned and goes on as a king",
    "pass": "a man that reaches the last row in a capture is crowned only if it stops there",
}
_DECLARED = {
    AUTOMATIC: "",
    CLAIM: ", if the side to move claims it",
    CLAIM_WITH_MOVE: ", if the side to move claims it with the move that brings it",
}
_OFF_ROAD = {COUNT_LOST: "dropped", COUNT_PAUSED: "resting", COUNT_RUNS: "going on"}


def board_words(rules: Rules) -> str:
    """``8 x 8, 32 dark squares, a dark corner at White's left hand``."""
    board = rules.board
    if board.orthogonal:
        return f"{board.rows} x {board.columns}, all {board.n_squares} squares"
    return (
        f"{board.rows} x {board.columns}, {board.n_squares} dark squares, "
        f"a dark corner at White's {board.dark_corner} hand"
    )


def move_words(rules: Rules) -> tuple[str, ...]:
    """How the game is played, one sentence without a full stop each, but no draw rules."""
    return (
        _start(rules),
        _men(rules),
        _kings(rules),
        *_captures(rules),
        _PROMOTION[rules.promotion_in_capture],
        "who cannot move has lost",
        *(["one piece each is a draw at once"] if rules.lone_pieces_draw else []),
    )


def notation_words(rules: Rules) -> str:
    """How squares are written and counted."""
    notation = rules.notation
    total = rules.board.n_squares
    if notation.letters:
        board = rules.board
        corners = f"{board.name(total - board.width)} to {board.name(board.width - 1)}"
        text = f"letters, {corners}; numbers 1 to {total} are read, too"
    elif notation.reads_letters:
        text = f"numbers 1 to {total}; letters are read, too"
    else:
        text = f"numbers 1 to {total}"
    text += ", counted from the top left with White below"
    if notation.official_reversed:
        text += f" (official numbers are {total + 1} - n)"
    return text


def _start(rules: Rules) -> str:
    men = rules.men_rows * rules.board.width
    behind = rules.empty_back_rows
    empty = f", {behind} empty behind them" if behind else ""
    begins = f"{COLOURS[rules.first_player]} moves first"
    return f"{begins}; {men} men each in {rules.men_rows} rows{empty}"


def _men(rules: Rules) -> str:
    steps = "forward or sideways" if rules.board.orthogonal else "diagonally forward"
    takes = "and take the same way"
    if rules.men_capture_backwards:
        takes = "and take backwards, too"
    kings = "" if rules.men_capture_kings else ", but never a king"
    return f"men move one square {steps} {takes}{kings}"


def _kings(rules: Rules) -> str:
    lines = "line" if rules.board.orthogonal else "diagonal"
    if not rules.flying_kings:
        return f"kings move and take one square along any {lines}"
    if rules.free_landing:
        landing = "and land on any free square behind what they take"
    else:
        landing = (
            "and land behind what they take, from where they can take more if that is possible"
        )
    return f"kings move and take any distance along any {lines}, {landing}"


def _captures(rules: Rules) -> list[str]:
    if rules.captures_mandatory:
        words = ["who can take must take"]
    else:
        words = ["taking is optional, but a capture once begun is finished"]
    if rules.huffing:
        words.append("who could take and did not may lose one piece that could, before the reply")
    chosen = ", among equals ".join(_CHOICES[name] for name in rules.capture_choice)
    if chosen:
        words.append(f"of several captures, {chosen} must be chosen")
    else:
        words.append("of several captures any may be chosen")
    if rules.captured_leave == "hop":
        words.append("each captured piece leaves the board at once")
        if rules.flying_kings and not rules.about_turn:
            words.append("a king may not turn back by half a turn within a capture")
    else:
        words.append("captured pieces leave the board when the move ends; none is jumped twice")
    return words


def draw_words(rules: Rules, draw: DrawRules) -> tuple[tuple[str, str], ...]:
    """The rules of a draw preset, each in words and with its article."""
    found = []
    if draw.repetition:
        times = ordinal(draw.repetition.times)
        how = _DECLARED[draw.repetition.declared]
        setup = "" if draw.repetition.counts_setup else ", the first position not counted"
        found.append((f"{times} occurrence of a position{setup}{how}", draw.repetition.article))
    if draw.quiet:
        kind = "capture or man move" if rules.man_moves_convert else "capture"
        least = draw.quiet.min_pieces
        many = f" with at least {least} pieces" if least else ""
        how = _DECLARED[draw.quiet.declared]
        found.append((f"{draw.quiet.limit} plies without {kind}{many}{how}", draw.quiet.article))
    found += [(_clock_words(clock), clock.article) for clock in draw.class_clocks]
    if draw.move_limit is not None:
        found.append((f"any game after {draw.move_limit} plies", ""))
    return tuple(found)


def _clock_words(clock: ClassClock) -> str:
    """``three pieces against a king, 16 moves of each, going on after a capture``."""
    more = [f"{_OFF_ROAD[clock.off_road]} where the road is not held"] * bool(clock.road)
    more += ["begun anew by a capture or a crowning"] * (clock.restarts == MATERIAL)
    more += ["going on after a capture"] * bool(clock.carries_into)
    return ", ".join([class_words(clock), *more])
