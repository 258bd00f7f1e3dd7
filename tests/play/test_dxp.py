"""DamExchange messages, and conversations without a network."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

from crownbase.board import Position
from crownbase.errors import CrownbaseError
from crownbase.play import dxp
from crownbase.play.dxp import Session
from crownbase.play.dxp_text import (
    LONGEST_MESSAGE,
    Inbox,
    Request,
    as_bytes,
    is_draw_offer,
    read_move,
    read_request,
    write_move,
)
from crownbase.play.player import Choice, Player
from crownbase.rules import DrawRules, Rules, find_rules
from crownbase.rules.draw import CLAIM, Repetition
from crownbase.search import SearchResult

RULES = find_rules("international")
REQUEST = "R01" + f"{'Tester':<32}" + "{side}005100A"


def placed(fen: str, follower: str, minutes: int = 5) -> str:
    return Request(Position.from_fen(fen, rules=RULES), follower, minutes, 0, "Tester").write()


class Puppet(Player):
    """Plays the moves of a list; likes draws or does not."""

    def __init__(self, moves: str = "", takes_draws: bool = True, rules: Rules = RULES) -> None:
        super().__init__(rules, level=1, compiled=False)
        self._moves = iter(moves.split())
        self._takes_draws = takes_draws

    def choose(self, position: Position, *rest: Any, **named: Any) -> Choice:
        move = position.parse_move(next(self._moves))
        return Choice(move, "search", SearchResult(0.0, None, move, (move,)))

    def accepts_draw(self, position: Position, side: str, history: Any = ()) -> bool:
        return self._takes_draws


class Talk:
    """A session whose answers are kept."""

    def __init__(self, player: Player | None) -> None:
        self.heard: list[str] = []
        self.reports: list[str] = []
        self.session = Session(lambda: player, self._keep, self.reports.append, gap=0)

    def _keep(self, message: bytes) -> None:
        assert message.endswith(b"\0") and message.count(b"\0") == 1 and 2 <= len(message) <= 128
        self.heard.append(message[:-1].decode("ascii"))

    def say(self, *texts: str) -> list[str]:
        """The answers to these messages."""
        self.heard.clear()
        for text in texts:
            self.session.receive(text.encode("latin-1") + b"\0")
        return list(self.heard)


def test_moves_as_messages() -> None:
    start = Position.start(RULES)
    assert write_move(start.parse_move("32-28"), 3.7) == "M0003322800"
    after = start.play("32-28").play("19-23")
    assert write_move(after.parse_move("28x19"), 0) == "M000028190123"
    assert read_move(after, "M000028190123") == after.parse_move("28x19")


@pytest.mark.parametrize("text", ["M", "M0000", "M00003228xx", "M0000322801", "M0000070200"])
def test_bad_moves_are_refused(text: str) -> None:
    with pytest.raises(CrownbaseError):
        read_move(Position.start(RULES), text)


def test_requests_with_and_without_a_position() -> None:
    start = Position.start(RULES)
    found = read_request(REQUEST.format(side="Z"), RULES)
    assert found == Request(start, "B", 5, 100, "Tester") and found.initiator == "W"
    assert found.write() == REQUEST.format(side="Z")
    text = REQUEST.format(side="W")[:-1] + "BZ" + "Z" + "e" * 48 + "w"
    found = read_request(text, RULES)
    assert found.start == Position.from_fen("B:W50:BK1", rules=RULES) and found.follower == "W"
    assert found.write() == text
    for bad in ("R01 too short", text[:-1], text[:-1] + "x", text.replace("005", "0x5")):
        with pytest.raises(CrownbaseError):
            read_request(bad, RULES)


def test_what_is_kept_of_a_message_is_bounded() -> None:
    inbox = Inbox()
    for _ in range(1000):
        assert inbox.take(b"x" * 4096) == []
        assert len(inbox._kept) == LONGEST_MESSAGE + 1
    assert inbox.take(b"yy\0C1\0C2") == ["x" * (LONGEST_MESSAGE + 1), "C1"]
    assert inbox.take(b"\0\0") == ["C2", ""]


def test_every_text_can_be_sent() -> None:
    assert as_bytes("E\ufffd0") == b"E?0\0"
    assert as_bytes("C" + "\0" * 500) == b"C" + b"?" * 126 + b"\0"


def test_a_foreign_version_and_bad_positions_are_declined() -> None:
    talk = Talk(Puppet())
    request = REQUEST.format(side="W")
    codes = {
        request.replace("R01", "R02"): "1",
        request[:-1] + "BW" + "x" * 50: "2",
        request[:-1] + "BW" + "e" * 50: "2",
        placed("W:W6:B1", "W"): "2",  # no legal move
        "R01": "2",
    }
    for text, code in codes.items():
        assert talk.say(text) == [f"A{'crownbase':<32}{code}"]
    assert not talk.session.playing
    assert Talk(None).say(request) == [f"A{'crownbase':<32}3"]


def test_what_is_no_message_is_answered_or_ignored() -> None:
    talk = Talk(Puppet("32-28"))
    assert talk.say("E\xff0") == ["E00"]
    assert talk.say("", "X", "\xff", "M", "K0", "A", "C\x1b[2J", "Cdraw?") == []
    assert talk.say("C" * 4000) == ["Cerror: a message has at most 127 characters"]
    assert talk.say("B001W") == ["K1"]
    assert talk.say(REQUEST.format(side="W"))[1:] == ["M0000322800"]
    assert talk.say("M0000010100") == ["E00"]


def test_names_are_printed_without_control_characters() -> None:
    talk = Talk(Puppet("32-28"))
    talk.say(REQUEST.format(side="W").replace("Tester", "\x1b[2J\xff\x07"))
    assert talk.reports == ["White against ?[2J?? (5 minutes, 100 moves limit)"]


TO_AND_FRO = ("M0000020700", "M0000070200", "M0000020700", "M0000070200")
"""Black's king on 2 and 7, while White's walks between 1 and 6: on the eighth ply the first
position occurs for the third time, a draw by FMJD 6.1."""


def test_a_draw_by_our_own_move_is_said_at_once() -> None:
    talk = Talk(Puppet("6-1 1-6 6-1 1-6"))
    assert len(talk.say(placed("B:WK6:BK2", "W"))) == 1
    for move in TO_AND_FRO[:3]:
        assert len(talk.say(move)) == 1
    assert talk.say(TO_AND_FRO[3]) == ["M0000010600", "E20"]
    assert not talk.session.playing and not talk.session.settled
    assert talk.say("E20") == [] and talk.session.settled  # it said the same: no answer
    assert "drawn" in talk.reports[-1] and "third occurrence" in talk.reports[-1]


def test_a_move_that_crosses_our_end_is_ignored() -> None:
    talk = Talk(Puppet("6-1 1-6 6-1 1-6"))
    assert talk.say(placed("B:WK6:BK2", "W"), *TO_AND_FRO)[-1] == "E20"
    assert talk.say("M0000020700", "E00") == []
    assert talk.session.settled and talk.session.ended == 1


def test_a_draw_by_their_move_is_said_in_our_turn() -> None:
    talk = Talk(Puppet("1-6 6-1 1-6 6-1"))
    assert len(talk.say(placed("W:WK1:BK2", "W"))) == 2
    for move in TO_AND_FRO[:3]:
        assert len(talk.say(move)) == 1
    assert talk.say(TO_AND_FRO[3]) == ["E20"]


@pytest.mark.parametrize("takes", [True, False])
def test_a_draw_that_may_be_claimed_is_claimed_by_who_takes_draws(takes: bool) -> None:
    """The same to and fro where a third occurrence is no draw by itself."""
    claims = replace(RULES, draw=DrawRules(repetition=Repetition(3, CLAIM)))
    talk = Talk(Puppet("1-6 6-1 1-6 6-1 1-6", takes, claims))
    talk.say(placed("W:WK1:BK2", "W"))
    for move in TO_AND_FRO[:3]:
        talk.say(move)
    assert talk.say(TO_AND_FRO[3]) == (["E20"] if takes else ["M0000010600"])


@pytest.mark.parametrize("takes", [True, False])
def test_their_end_by_a_draw_is_confirmed_and_judged(takes: bool) -> None:
    talk = Talk(Puppet("32-28", takes))
    talk.say(REQUEST.format(side="W"))
    assert talk.say("E20") == ["E20" if takes else "E00"]
    assert talk.session.settled and talk.session.ended == 1
    assert ("we disagree" in talk.reports[-1]) is not takes
    assert talk.say("E20") == ["E00"]  # no game is left


def test_a_draw_offer_in_a_chat_is_answered() -> None:
    for takes, answers in ((True, ["Cdraw accepted", "E20"]), (False, ["Cno draw, thank you"])):
        talk = Talk(Puppet("32-28", takes))
        talk.say(REQUEST.format(side="W"))
        assert talk.say("CWhat do you think about move 35?") == []
        assert talk.say("CI offer a draw") == answers
        assert talk.session.playing is not takes
    assert all(map(is_draw_offer, ("draw?", "Remise!", "shall we call it a draw?", "draw")))
    assert not any(map(is_draw_offer, ("game ended (draw)", "drawer?", "", "no draw, thank you")))


def test_ends_of_all_kinds_leave_room_for_the_next_game() -> None:
    talk = Talk(Puppet("32-28 32-28 32-28 32-28"))
    for reason in "013":
        assert talk.say(REQUEST.format(side="W"))[1:] == ["M0000322800"]
        assert talk.say(f"E{reason}0") == ["E00"]
    assert [line.split(":")[0] for line in talk.reports[1::2]] == ["no result", "we win", "we lose"]
    assert not talk.session.over
    assert talk.say(REQUEST.format(side="W"), "E01")[-1] == "E01"
    assert talk.session.over


def test_the_game_ends_when_all_moves_are_played() -> None:
    talk = Talk(Puppet("32-28"))
    talk.say(REQUEST.format(side="W").replace("005100", "005001"))
    assert talk.say("M0000192300") == ["E00"]
    assert talk.reports[-1] == "no result: 1 moves each"


def test_the_deadline_is_the_other_sides_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    talk = Talk(Puppet("32-28 37-32"))
    assert talk.session.deadline == now + dxp.IDLE
    talk.say(REQUEST.format(side="W"))
    assert talk.session.deadline == now + 5 * 60 + dxp.GRACE
    now += 100
    talk.say("Chello", "B001W")  # words do not stop the clock
    assert talk.session.deadline == 1000 + 5 * 60 + dxp.GRACE
    talk.say("M0000192400")
    assert talk.session.deadline == now + (5 * 60 - 100) + dxp.GRACE
    talk.heard.clear()
    talk.session.give_up()
    assert talk.heard == ["E31", "Ctoo long without a message; closed"]


def test_moves_share_out_the_time() -> None:
    """100 moves in 5 minutes: three seconds for the first."""
    seen: list[float] = []

    class Clocked(Puppet):
        def choose(self, position: Position, *rest: Any, **named: Any) -> Choice:
            seen.append(self.seconds)
            return super().choose(position)

    talk = Talk(Clocked("32-28"))
    talk.say(REQUEST.format(side="W"))
    assert seen == [pytest.approx(3.0)]
    talk = Talk(Clocked("32-28"))
    talk.say(REQUEST.format(side="W").replace("005100", "000000"))
    assert seen[1] == 1.0  # no time limit: as the player was made


@pytest.mark.parametrize(
    "arguments",
    [
        ("dxp", "--port", "99999999"),
        ("dxp", "--host", "no.such.host.invalid", "--port", "0"),
        ("dxp", "--host", "x" * 300, "--port", "0"),
        ("dxp", "--connect", "127.0.0.1:1"),
        ("dxp", "--connect", "127.0.0.1:99999999"),
        ("dxp", "--connect", "x" * 300),
        ("dxp", "--connect", ""),
        ("dxp", "--connect", "127.0.0.1", "--fen", "W:W1:B1"),
        ("dxp", "--side", "z"),
        ("dxp", "--rules", "english"),
    ],
)
def test_the_command_says_in_a_line_what_is_wrong(
    arguments: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from crownbase import search
    from crownbase.play.cli import run

    monkeypatch.setattr(search.Loader, "start", lambda self: self)
    assert run(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ") and said.count("\n") == 1 and len(said) < 1000
