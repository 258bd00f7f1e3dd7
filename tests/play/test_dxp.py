"""DamExchange messages, and a whole game over a socket."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from crownbase.board import Position
from crownbase.errors import CrownbaseError
from crownbase.play.dxp import Follower, read_move, read_request, write_move
from crownbase.play.player import Player
from crownbase.rules import find_rules

RULES = find_rules("international")
REQUEST = "R01" + f"{'Tester':<32}" + "{side}005100A"


def test_moves_as_messages() -> None:
    start = Position.start(RULES)
    assert write_move(start.parse_move("32-28"), 3.7) == "M0003322800"
    after = start.play("32-28").play("19-23")
    assert write_move(after.parse_move("28x19"), 0) == "M000028190123"
    assert read_move(after, "M000028190123") == after.parse_move("28x19")


@pytest.mark.parametrize("text", ["M", "M0000", "M00003228xx", "M0000322801", "M0000100500"])
def test_bad_moves_are_refused(text: str) -> None:
    with pytest.raises(CrownbaseError):
        read_move(Position.start(RULES), text)


def test_requests_with_and_without_a_position() -> None:
    start, side, minutes, moves = read_request(REQUEST.format(side="Z"), RULES)
    assert (start, side, minutes, moves) == (Position.start(RULES), "B", 5.0, 100)
    placed = REQUEST.format(side="W")[:-1] + "BZ" + "Z" + "e" * 48 + "w"
    start, side, _, _ = read_request(placed, RULES)
    assert start == Position.from_fen("B:W50:BK1", rules=RULES) and side == "W"
    with pytest.raises(CrownbaseError):
        read_request("R01 too short", RULES)


def messages(connection: socket.socket) -> Iterator[str]:
    kept = b""
    while data := connection.recv(4096):
        *whole, kept = (kept + data).split(b"\0")
        yield from (message.decode() for message in whole)


def test_a_game_over_a_socket() -> None:
    ours, theirs = socket.socketpair()
    player = Player(RULES, level=1, seed=1, compiled=False)
    thread = threading.Thread(target=lambda: Follower(ours, player).run(), daemon=True)
    thread.start()
    theirs.settimeout(30)
    theirs.sendall(REQUEST.format(side="W").encode() + b"\0")
    heard = messages(theirs)
    assert next(heard) == f"A{'crownbase':<32}0"
    position = Position.start(RULES)
    for _ in range(10):
        position = position.play(read_move(position, next(heard)))
        move = position.legal_moves()[0]
        position = position.play(move)
        theirs.sendall(write_move(move, 0).encode() + b"\0")
    position = position.play(read_move(position, next(heard)))
    theirs.sendall(b"B001W\0")
    assert next(heard) == "K1"
    theirs.sendall(b"E01\0")
    assert next(heard) == "E01"
    thread.join(10)
    assert not thread.is_alive()
    theirs.close()
    ours.close()


def test_a_foreign_version_and_a_bad_position_are_declined() -> None:
    ours, theirs = socket.socketpair()
    player = Player(RULES, level=1, compiled=False)
    threading.Thread(target=lambda: Follower(ours, player).run(), daemon=True).start()
    theirs.settimeout(30)
    heard = messages(theirs)
    theirs.sendall(REQUEST.format(side="W").replace("R01", "R02").encode() + b"\0")
    assert next(heard)[-1] == "1"
    theirs.sendall(REQUEST.format(side="W")[:-1].encode() + b"BW" + b"x" * 50 + b"\0")
    assert next(heard)[-1] == "2"
    theirs.close()
