"""Bounds of what a request may cost: how long its body is, how many are worked on at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

MOST_BODY = 1 << 18
"""Bytes of a request's body; a thousand FENs of the largest boards fit."""
MOST_URL = 1 << 13
"""Characters of the path and the query together."""


class Busy(Exception):  # noqa: N818 (becomes the status 429)
    """So many requests are worked on that this one has to come again."""


class Gate:
    """Lets so many requests in at a time, those that wait for a thread included."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._inside = 0
        self._lock = threading.Lock()

    @contextmanager
    def enter(self) -> Iterator[None]:
        """Be inside for the time of a ``with`` block.

        Raises:
            Busy: too many are.
        """
        with self._lock:
            if self._inside >= self._most:
                raise Busy
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1


class BodyLimit:
    """ASGI middleware: 413 for a body, 414 for an address, that is longer than any good one."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if len(scope["raw_path"] or b"") + len(scope["query_string"]) > MOST_URL:
            await _refuse(send, 414, f"the address has more than {MOST_URL} characters")
            return
        parts: list[bytes] = []
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return  # the client has gone
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            more = message.get("more_body", False)
            if size > MOST_BODY:
                await _refuse(send, 413, f"the body has more than {MOST_BODY} bytes")
                return
        waiting = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

        async def replay() -> Any:
            return waiting.pop() if waiting else await receive()

        await self._app(scope, replay, send)


async def _refuse(send: Any, status: int, reason: str) -> None:
    body = f'{{"error":"{reason}"}}'.encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"access-control-allow-origin", b"*"),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
