"""What a person sees at the terminal: draw clocks, time for a turn, thinking, a rematch."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

import pytest

from crownbase.errors import IllegalMoveError
from crownbase.play.game import Game, Reason
from crownbase.play.player import Player
from crownbase.play.terminal import Terminal
from crownbase.play.thinking import LiveLine, Thinking, limits_left


class Session:
    """A terminal with typed lines; each line may take some seconds of a fake clock."""

    def __init__(
        self,
        typed: Iterable[str | tuple[str, float]],
        game: Game | None = None,
        human: str = "WB",
        turn_time: float | None = None,
        stay: bool = False,
        level: int = 1,
        save: Path | None = None,
    ) -> None:
        self.now = 0.0
        self.output: list[str] = []
        self.shown: list[str] = []
        self._typed = iter(typed)
        game = game or Game("english")
        self.terminal = Terminal(
            game,
            Player(game.rules, level=level, seed=1, compiled=False),
            None,
            human,
            save,
            self._read,
            self.output.append,
            turn_time=turn_time,
            show=self.shown.append,
            stay=stay,
            clock=lambda: self.now,
        )
        self.terminal.run()

    def _read(self, prompt: str) -> str:
        self.output.append(prompt)
        line = next(self._typed, None)
        if line is None:
            raise EOFError
        text, seconds = (line, 1.0) if isinstance(line, str) else line
        self.now += seconds
        return text

    @property
    def game(self) -> Game:
        return self.terminal.game

    @property
    def text(self) -> str:
        return "\n".join(self.output)


# -- draw clocks -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "fen", "draw", "expected"),
    [
        # WCDF 1.32.2: 40 moves of each, 80 plies; none have passed: nothing to tell.
        ("english", "W:WK1:BK32:H0", None, []),
        (
            "english",
            "W:WK1:BK32:H12",
            None,
            ["a draw in 68 plies of 80 (no capture or man move, WCDF 1.32.2)"],
        ),
        # FMJD-64 7.2.4: three kings against one, 15 moves; 7.2.6: kings on both sides and four
        # pieces, 30 moves, of each; both begin with the position.
        (
            "russian",
            "W:WKc3,Kd2,Ke1:BKh6:H0",
            None,
            [
                "a draw in 30 plies (three or more kings against a king, 15 moves of each, "
                "FMJD-64 7.2.4)",
                "a draw in 60 plies (kings on both sides, 4 or 5 pieces, 30 moves of each, "
                "FMJD-64 7.2.6)",
            ],
        ),
        ("english", "W:WK1:BK32:H12", "none", []),
    ],
)
def test_plies_left_to_a_draw(rules: str, fen: str, draw: str | None, expected: list[str]) -> None:
    assert limits_left(Game(rules, fen, draw)) == expected


def test_the_move_limit_is_a_clock_too() -> None:
    game = Game("english", move_limit=3)
    game.play("11-15")
    assert limits_left(game) == ["a draw in 2 plies of 3 (move limit)"]


def test_a_clock_runs_down_to_the_draw_that_the_rules_give() -> None:
    """Told and played agree: after so many more plies the game is drawn, not one earlier."""
    game = Game("english", "W:WK1:BK32:H75", "automatic")
    for move in ("1-5", "32-27", "5-1", "27-32", "1-6"):
        assert not game.is_over
        assert limits_left(game)[0].startswith(f"a draw in {80 - game.clock} pl")
        game.play(move)
    assert game.outcome().reason is Reason.QUIET_CLOCK


def test_the_board_tells_it() -> None:
    shown = Session(["1-5"], Game("english", "W:WK1:BK32:H12")).text
    assert "a draw in 68 plies" in shown and "a draw in 67 plies" in shown


# -- time for a turn ---------------------------------------------------------------------------


def test_who_takes_too_long_has_lost() -> None:
    late = Session(["11-15", ("22-18", 11.0)], turn_time=10.0)
    assert late.game.ply == 1
    outcome = late.game.outcome()
    assert outcome.reason is Reason.TIME and outcome.winner == "B"
    assert str(outcome) == "Black wins: time forfeit, White took 11.0 s for a turn of 10 s"
    assert "who needs more than 10 s for a turn has lost" in late.text
    assert late.game.result == "1-0"  # Black begins in English draughts
    assert "time forfeit" in late.game.pdn()


def test_every_turn_has_its_own_time_and_commands_count() -> None:
    assert Session([("11-15", 9.0), ("22-18", 9.0)], turn_time=10.0).game.ply == 2
    helped = Session([("moves", 6.0), ("help", 5.0)], turn_time=10.0)
    assert helped.game.outcome().reason is Reason.TIME
    assert "take back" not in helped.text  # the command came too late
    assert "1. [10 s] " in helped.text and "1. [4 s] " in helped.text


def test_leaving_late_is_no_forfeit_and_without_a_limit_nothing_is() -> None:
    assert not Session([("quit", 99.0)], turn_time=10.0).game.is_over
    assert not Session([("q", 99.0)], turn_time=10.0).game.is_over
    assert Session([("11-15", 1e6)]).game.ply == 1


def test_a_finished_game_cannot_be_forfeited() -> None:
    game = Game("english")
    game.resign("B")
    with pytest.raises(IllegalMoveError, match="over"):
        game.forfeit("W", "late")


def test_the_player_keeps_its_time_at_levels_of_a_fixed_depth_too() -> None:
    """Nine plies by plain Python would take minutes; it has no time at all."""
    player = Player(Game("english").rules, level=6, seconds=0.0, compiled=False, timed=True)
    assert player.choose(Game("english").position).result.depth < 9


# -- another game ------------------------------------------------------------------------------


def test_a_rematch_swaps_the_sides(tmp_path: Path) -> None:
    saved = tmp_path / "games.pdn"
    played = Session(
        ["resign", "rematch", "11-15", "quit"], human="W", stay=True, level=1, save=saved
    )
    # White resigned before Black's first move was answered; now the person has Black.
    assert played.terminal.human == "B"
    assert played.game.moves[0].start == 11 and played.game.ply >= 1
    assert saved.read_text().count("[Event") == 2


def test_watchers_and_people_at_one_board_keep_their_sides() -> None:
    assert Session(["resign", "rematch"], human="WB", stay=True).terminal.human == "WB"


def test_no_rematch_before_the_end_and_no_waiting_in_scripts() -> None:
    assert "this game goes on" in Session(["rematch"], stay=True).text
    over = Session(["resign", "rematch"], stay=False)
    assert over.game.is_over and "rematch" not in over.text


def test_after_the_end_moves_are_refused_and_undo_goes_on() -> None:
    played = Session(["11-15", "resign", "22-18", "undo", "9-14"], stay=True)
    assert "the game is over" in played.text
    assert [str(move) for move in played.game.moves] == ["9-14"]


# -- thinking ----------------------------------------------------------------------------------


def test_thinking_and_depth_are_seen_and_cleared() -> None:
    shown = Session(["11-15"], human="B", level=2).shown
    assert shown[0] == "thinking ..." and shown[-1] == ""
    assert any("depth 2" in text for text in shown)


def test_nothing_is_shown_without_a_place_for_it() -> None:
    with Thinking(None) as thinking:
        assert thinking is not None


def test_a_live_line_is_written_over() -> None:
    stream = io.StringIO()
    show = LiveLine(stream)
    for text in ("thinking ... depth 10", "thinking", ""):
        show(text)
    # What is shorter covers what was longer, and the end leaves an empty line to write on.
    parts = stream.getvalue().split("\r")
    assert parts == ["", "thinking ... depth 10", "thinking".ljust(21), " " * 8, ""]
