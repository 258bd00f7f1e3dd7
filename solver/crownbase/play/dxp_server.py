"""DamExchange over TCP: a server for many programs at once, and the side that begins games.

Each connection has a thread. What a connection may cost is bounded: bytes (``Inbox``), time (the
session's deadline), players (``MAX_GAMES``) and connections (``MAX_CONNECTIONS``).
"""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from crownbase.errors import CrownbaseError
from crownbase.play.dxp import GRACE, IDLE, Session
from crownbase.play.dxp_text import PORT, Request
from crownbase.play.outcome import OTHER
from crownbase.play.player import Player

MAX_GAMES = 8
"""Games at the same time; a request for one more is answered with `no game at all`.

It also ends the game that has been waiting for a move for longest, if longer than ``IDLE``."""
MAX_CONNECTIONS = 64
"""Connections at the same time; for one more the oldest without a game is closed."""
_GOODBYE = 2.0
"""Seconds for the other side to read our last message."""

_ADDRESS = re.compile(
    r"(?:\[(?P<bracketed>[^\[\]]+)\]|(?P<host>[^\s:\[\]]+))(?::(?P<port>[0-9]{1,5}))?"
    r"|(?P<bare>(?:[0-9A-Fa-f.]*:){2,}[0-9A-Fa-f.]*)"
)

Report = Callable[[str], object]


def read_address(address: str, port: int = PORT) -> tuple[str, int]:
    """Host and port of ``HOST`` or ``HOST:PORT``; an IPv6 address with a port stands in brackets.

    Raises:
        CrownbaseError: no host, or a port outside 1 to 65535.
    """
    found = _ADDRESS.fullmatch(address.strip())
    if found is not None and found["port"]:
        port = int(found["port"])
    if found is None or not 1 <= port <= 65535:
        raise CrownbaseError(f"{address!r} is no HOST[:PORT] with a port from 1 to 65535")
    return found["bracketed"] or found["host"] or found["bare"], port


class Server:
    """Plays with every program that connects.

    Args:
        make_player: makes the player of one more game at the same time.
        host, port: where to listen; port 0 = any free one, see ``address``.
        report: hears for people what begins and ends.

    Raises:
        CrownbaseError: it is not possible to listen there.
    """

    def __init__(
        self,
        make_player: Callable[[], Player],
        host: str = "127.0.0.1",
        port: int = PORT,
        report: Report = lambda line: None,
    ) -> None:
        self._make_player = make_player
        self._report = report
        self._lock = threading.Lock()
        self._open: dict[socket.socket, Session] = {}  # oldest first
        self._free: list[Player] = []
        self._made = 0
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            self._socket = socket.create_server((host, port), family=family)
        except (OSError, OverflowError, ValueError) as error:
            raise CrownbaseError(f"cannot listen on {host}:{port}: {_reason(error)}") from error

    @property
    def address(self) -> tuple[str, int]:
        """Host and port on which it listens."""
        host, port, *_ = self._socket.getsockname()
        return host, port

    def run(self) -> None:
        """Accept connections until ``close``."""
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                if self._socket.fileno() < 0:
                    return
                time.sleep(0.1)  # no descriptor is free, or the caller has gone again
                continue
            self._admit(connection)

    def close(self) -> None:
        """Stop listening and close every connection."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes `accept`
        self._socket.close()
        with self._lock:
            for connection in self._open:
                _shut(connection)

    def _admit(self, connection: socket.socket) -> None:
        taken: list[Player] = []

        def take_player() -> Player | None:
            player = self._next_player()
            if player is not None:
                taken.append(player)
            return player

        session = Session(take_player, _sender(connection), self._report)
        with self._lock:
            if len(self._open) >= MAX_CONNECTIONS:
                idle = next((c for c, s in self._open.items() if not s.playing), connection)
                self._open.pop(idle, None)
                _shut(idle)
            self._open[connection] = session
        work = (connection, session, taken)
        try:
            threading.Thread(target=self._serve, args=work, daemon=True).start()
        except RuntimeError:  # no more threads
            with self._lock:
                self._open.pop(connection, None)
            connection.close()

    def _serve(self, connection: socket.socket, session: Session, taken: list[Player]) -> None:
        try:
            converse(session, connection)
            _part(connection)
        except OSError:
            pass  # the other program went away
        except Exception as error:  # one conversation must not cost the others
            self._report(f"a game was given up: {_reason(error)}")
        finally:
            connection.close()
            with self._lock:
                self._open.pop(connection, None)
                self._free.extend(taken)

    def _next_player(self) -> Player | None:
        with self._lock:
            if not self._free and self._made < MAX_GAMES:
                self._free.append(self._make_player())
                self._made += 1
            if self._free:
                return self._free.pop()
            connection, session = max(self._open.items(), key=lambda item: item[1].waits)
            if session.waits > IDLE:
                _shut(connection)
            return None


def converse(
    session: Session, connection: socket.socket, done: Callable[[], bool] = lambda: False
) -> None:
    """Hear what comes over a connection, until it closes, is silent for too long or *done*.

    Raises:
        OSError: the other side went away.
    """
    while not done():
        received = None
        connection.settimeout(max(session.deadline - time.monotonic(), 0.01))
        with contextlib.suppress(TimeoutError):
            received = connection.recv(4096)
        if time.monotonic() >= session.deadline:  # whatever came, the game was not got on with
            session.give_up()
            return
        if received is not None and not (received and session.receive(received)):
            return


def connect(
    player: Player,
    address: tuple[str, int],
    request: Request,
    games: int = 1,
    report: Report = lambda line: None,
) -> int:
    """Begin games with another program, sides in turn; how many have ended.

    There are fewer than *games* if the other side wants no more.

    Raises:
        CrownbaseError: nobody answers, the game is declined, or the connection breaks off.
    """
    where = f"{address[0]}:{address[1]}"
    try:
        connection = socket.create_connection(address, timeout=GRACE)
    except (OSError, OverflowError, ValueError) as error:
        raise CrownbaseError(f"cannot connect to {where}: {_reason(error)}") from error
    with connection:
        session = Session(lambda: player, _sender(connection), report)
        try:
            while session.ended < games and not session.over:
                session.ask(request)
                converse(session, connection, lambda: session.settled)
                if session.refused:
                    raise CrownbaseError(session.refused)
                if not session.settled:
                    raise CrownbaseError(f"{where} left the game, or was silent for too long")
                request = replace(request, follower=OTHER[request.follower])
            _part(connection)
        except OSError as error:
            raise CrownbaseError(f"{where}: {_reason(error)}") from error
    return session.ended


def _sender(connection: socket.socket) -> Callable[[bytes], None]:
    def send(message: bytes) -> None:
        connection.settimeout(GRACE)  # the other side may not read
        connection.sendall(message)

    return send


def _shut(connection: socket.socket) -> None:
    """Make the thread that waits for a connection go on."""
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _part(connection: socket.socket) -> None:
    """Close our half and let the other side read the last message: unread bytes would take it."""
    end = time.monotonic() + _GOODBYE
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(_GOODBYE)
        while connection.recv(4096) and time.monotonic() < end:
            pass


def _reason(error: BaseException) -> str:
    words = error.strerror if isinstance(error, OSError) else None
    return " ".join((words or str(error) or type(error).__name__).split())
