"""Whole games in DamExchange over loopback sockets: we serve, we connect, and we do both."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import command_environment
from crownbase.board import Position
from crownbase.errors import CrownbaseError
from crownbase.play import dxp, dxp_server
from crownbase.play.dxp_server import Server, connect, read_address
from crownbase.play.dxp_text import Request, as_bytes
from crownbase.play.game import Game
from crownbase.play.player import Player
from crownbase.rules import find_rules
from play.dxp_peer import Peer, any_move, messages

RULES = find_rules("international")
ASK = as_bytes("R01" + f"{'Tester':<32}" + "W005100A")


def player(level: int = 1) -> Player:
    return Player(RULES, level=level, seed=1, compiled=False)


@contextlib.contextmanager
def serving(**options: Any) -> Iterator[tuple[tuple[str, int], list[str]]]:
    """The address of a server in the background, and what it reports."""
    reports: list[str] = []
    server = Server(player, port=0, report=reports.append, **options)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server.address, reports
    finally:
        server.close()
        thread.join(10)
        assert not thread.is_alive()


def eventually(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_we_serve_two_games_with_a_clock_for_the_game() -> None:
    """The second from a position, with Black to move first."""
    start = "W" + "e" * 30 + "zz" + "e" * 13 + "wwwww"
    with serving() as (address, reports), socket.create_connection(address) as connection:
        peer = Peer(connection, any_move(1))
        peer.begin("Z", 5, 75, Game(RULES))
        game = Game(RULES, Position.from_fen("W:W46,47,48,49,50:B31,32", rules=RULES))
        peer.begin("W", 1, 0, game, start)
        peer.say("E01")
        assert peer.hear() == "E01"
        assert len(peer.results) == 2 and peer.seconds <= 300
        eventually(lambda: len(reports) == 4)
    ends = {"win": "we lose", "draw": "drawn", "loss": "we win", "?": "no result"}
    assert [line.split(":")[0] for line in reports[1::2]] == [ends[r] for r in peer.results]
    assert peer.games[0].outcome() or peer.games[0].ply == 150


def test_we_begin_two_games_sides_in_turn() -> None:
    peers: list[Peer] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def follow() -> None:
            connection, _ = listener.accept()
            with connection:
                peers.append(Peer(connection, any_move(2)))
                while peers[0].follow(lambda begin: Game(RULES)):
                    pass

        thread = threading.Thread(target=follow, daemon=True)
        thread.start()
        reports: list[str] = []
        request = Request(Position.start(RULES), "B", 5, 75)
        address = listener.getsockname()
        assert connect(player(), address, request, games=2, report=reports.append) == 2
        thread.join(20)
    assert not thread.is_alive() and len(peers[0].results) == 2
    requests = [line[2:] for line in peers[0].log if line.startswith("< R")]
    assert [text[35:] for text in requests] == ["Z005075A", "W005075A"]
    assert [line.split()[0] for line in reports[::2]] == ["White", "Black"]
    for game, result in zip(peers[0].games, peers[0].results, strict=True):
        assert (game.outcome() is not None) == (result != "?")


@pytest.mark.parametrize(
    ("fen", "here", "there"),
    [
        ("W:W28:B23", "we win", "we lose"),
        ("W:WK1:BK2", "drawn", "drawn"),
        ("B:WK1,K3:BK2,K7", None, None),
    ],
)
def test_crownbase_against_crownbase(fen: str, here: str | None, there: str | None) -> None:
    with serving() as (address, reports):
        mine: list[str] = []
        request = Request(Position.from_fen(fen, rules=RULES), "B", 5)
        assert connect(player(), address, request, report=mine.append) == 1
        eventually(lambda: len(reports) == 2)
    results = [lines[1].split(":")[0] for lines in (mine, reports)]
    if here is not None:
        assert results == [here, there]
    assert results[1] == {"we win": "we lose", "we lose": "we win"}.get(results[0], results[0])


def test_silent_and_chattering_programs_block_nobody() -> None:
    with serving() as (address, _), contextlib.ExitStack() as stack:
        silent = [stack.enter_context(socket.create_connection(address)) for _ in range(20)]
        for connection in silent[:5]:
            connection.sendall(b"x" * 100_000)  # no end of a message
        silent[5].sendall(ASK)  # a game, and then nothing
        with socket.create_connection(address) as connection:
            connection.settimeout(60)
            connection.sendall(b"E\xff0\0" + ASK)
            heard = messages(connection)
            assert next(heard) == "E00"
            assert next(heard) == f"A{'crownbase':<32}0"
            assert next(heard).startswith("M0000")


def test_too_many_games_and_connections_are_told_or_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dxp_server, "MAX_GAMES", 1)
    monkeypatch.setattr(dxp_server, "MAX_CONNECTIONS", 2)
    with serving() as (address, _), contextlib.ExitStack() as stack:

        def caller() -> socket.socket:
            connection = stack.enter_context(socket.create_connection(address))
            connection.settimeout(60)
            return connection

        first = caller()
        first.sendall(ASK)
        assert next(messages(first))[33:] == "0"
        second = caller()
        second.sendall(ASK)
        assert next(messages(second))[33:] == "3"
        third = caller()
        third.sendall(b"B001W\0")
        assert next(messages(third)) == "K1"
        assert second.recv(100) == b""  # it was the oldest without a game
        first.close()
        eventually(lambda: asked_again(third) == "0")


def test_who_is_silent_in_a_game_makes_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of 999 minutes, and no move: it ends when somebody else wants to play."""
    monkeypatch.setattr(dxp_server, "MAX_GAMES", 1)
    with serving() as (address, _):
        silent, other = (socket.create_connection(address) for _ in range(2))
        with silent, other:
            silent.settimeout(60)
            other.settimeout(60)
            silent.sendall(ASK.replace(b"005100", b"999000"))
            heard = messages(silent)
            assert next(heard)[33:] == "0" and next(heard)[0] == "M"
            assert asked_again(other) == "3"
            monkeypatch.setattr(dxp_server, "IDLE", 0.0)
            assert asked_again(other) == "3"
            assert list(heard) == []
            eventually(lambda: asked_again(other) == "0")


def asked_again(connection: socket.socket) -> str:
    connection.sendall(ASK)
    return next(messages(connection))[33:]


def test_silence_ends_a_conversation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dxp, "IDLE", 0.2)
    with serving() as (address, _), socket.create_connection(address) as connection:
        connection.settimeout(60)
        assert next(messages(connection)) == "Ctoo long without a message; closed"
        assert connection.recv(100) == b""


def test_a_player_that_fails_costs_one_conversation() -> None:
    calls = []

    class Broken(Player):
        def choose(self, *arguments: Any, **named: Any) -> Any:
            calls.append(1)
            raise RuntimeError("no\nluck")

    reports: list[str] = []
    server = Server(lambda: Broken(RULES, level=1, compiled=False), port=0, report=reports.append)
    threading.Thread(target=server.run, daemon=True).start()
    for number in (1, 2):
        with socket.create_connection(server.address) as connection:
            connection.settimeout(60)
            connection.sendall(ASK)
            assert [text[:1] for text in messages(connection)] == ["A"]
        eventually(lambda number=number: len(reports) == 2 * number)
    server.close()
    assert len(calls) == 2 and reports[1] == "a game was given up: no luck"


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (as_bytes(f"A{'Busy':<32}3"), "Busy declines the game (code 3)"),
        (as_bytes("A"), "the other program declines the game (code -)"),
        (b"", "left the game, or was silent for too long"),
        (as_bytes(f"A{'Gone':<32}0"), "left the game, or was silent for too long"),
    ],
)
def test_a_game_that_does_not_come_about_is_a_fault(answer: bytes, fault: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def decline() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(answer)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(4096):
                    pass

        threading.Thread(target=decline, daemon=True).start()
        request = Request(Position.start(RULES), "W")
        with pytest.raises(CrownbaseError, match=fault.replace("(", r"\(").replace(")", r"\)")):
            connect(player(), listener.getsockname(), request)


def test_addresses() -> None:
    assert read_address("here") == ("here", 27531)
    assert read_address("here", 5) == ("here", 5)
    assert read_address("10.0.0.1:80") == ("10.0.0.1", 80)
    assert read_address("[::1]:80") == ("::1", 80)
    assert read_address("::1") == ("::1", 27531)
    for wrong in ("", ":5", "here:", "here:0", "here:65536", "here:x", "[::1]:99999", "a b"):
        with pytest.raises(CrownbaseError, match="no HOST"):
            read_address(wrong)


def test_the_commands_play_with_each_other(tmp_path: Path) -> None:
    """Both ends as a user starts them, without compiling; the server ends by Ctrl-C."""
    environment = command_environment(tmp_path) | {"NUMBA_DISABLE_JIT": "1"}
    crownbase = [sys.executable, "-m", "crownbase", "dxp", "--level", "1"]
    server = subprocess.Popen(
        [*crownbase, "--port", "0"], stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        done = subprocess.run(
            [*crownbase, "--connect", address, "--fen", "W:W28:B23", "--side", "b"],
            capture_output=True,
            text=True,
            timeout=120,
            env=environment,
        )
        assert done.returncode == 0 and done.stderr == ""
        assert done.stdout.splitlines()[0].startswith("Black against crownbase (5 minutes")
        assert done.stdout.splitlines()[1].startswith("we lose: ")
        assert server.stdout.readline().startswith("White against crownbase")
        assert server.stdout.readline().startswith("we win: ")
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 130
    finally:
        server.kill()
        server.wait()
