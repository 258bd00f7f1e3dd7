"""The server: addresses, status codes and headers; what is said comes from ``answers``.

    200  an answer; ``category`` is ``unknown`` and ``missing`` names tables where one is not here
    400  a bad FEN, option or body; ``error`` quotes the faulty part
    404  no such rule set; or nothing is known of the position, and ``missing`` names the tables
    413  too much at once                        414  an address longer than any good one
    429  too many requests at a time; ``Retry-After`` says when to come again
    500  a table file is damaged; ``error`` names it without its directory

Probes run in threads, so that a slow one holds up nobody; how many requests may be inside at a
time, those that wait for a thread included, is bounded.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, FastAPI, HTTPException, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException as StarletteError

from crownbase._version import __version__
from crownbase.board import Position
from crownbase.errors import (
    CorruptTableError,
    CrownbaseError,
    MissingTableError,
    UnknownRulesError,
)
from crownbase.index import Material
from crownbase.play.web import answers, pages
from crownbase.play.web.bounds import BodyLimit, Busy, Gate
from crownbase.play.web.databases import MOST_COUNTED, Databases
from crownbase.rules import RULE_SETS, Rules

STATIC = Path(__file__).parent / "static"
MOST_BATCH = 1000
MOST_AT_A_TIME = 256
"""Requests that are inside at a time."""
KEEP = "public, max-age=3600"
"""Values never change, but tables may be added."""
_SECURITY = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; "
    "style-src 'self' 'unsafe-inline'; frame-ancestors *",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}

Fen = Annotated[
    str, Query(max_length=2000, description="Position, such as W:WK19,K23:B12,K28, or start.")
]
Clock = Annotated[
    int | None, Query(ge=0, le=10_000, description="Plies since the last conversion; else `H`.")
]
Draw = Annotated[str | None, Query(max_length=40, description="Draw rules of another book.")]
MoveLimit = Annotated[
    int | None, Query(ge=1, le=100_000, description="Draw after so many plies from the position.")
]
BatchFen = Annotated[str, Field(max_length=2000)]


class BatchRequest(BaseModel):
    """Positions to look up."""

    fens: list[BatchFen] = Field(description=f"Up to {MOST_BATCH} FENs.")


class PlayRequest(BaseModel):
    """A position of a game, whose side to move asks for a move."""

    fen: BatchFen
    history: list[BatchFen] = Field(
        default=[], max_length=2000, description="Earlier positions of the game, oldest first."
    )
    clock: int | None = Field(default=None, ge=0, le=10_000)
    draw: str | None = Field(default=None, max_length=40)
    move_limit: int | None = Field(default=None, ge=1, le=100_000)


def make_app(databases: Databases, most_at_a_time: int = MOST_AT_A_TIME) -> FastAPI:
    """The server as an ASGI application.

    Args:
        databases: the tables; closed when the server stops.
        most_at_a_time: requests that may be inside at a time; others get 429.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        databases.close()

    app = FastAPI(
        title="crownbase",
        version=__version__,
        description="Exact values of draughts endgames. The first of `moves` is the best.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.add_middleware(GZipMiddleware, minimum_size=800)
    app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["GET", "POST"])
    app.add_middleware(BodyLimit)
    gate = Gate(most_at_a_time)

    async def admitted() -> AsyncIterator[None]:
        with gate.enter():
            yield

    inside = [Depends(admitted)]
    _handle_errors(app)

    def known(name: str, draw: str | None = None, move_limit: int | None = None) -> Rules:
        try:
            databases.rules(name)
        except UnknownRulesError as error:
            raise HTTPException(404, str(error)) from None
        found = databases.rules(name, draw, move_limit)
        found.check_has_tables()
        return found

    @app.get("/healthz", summary="Whether the server is up, and what it has")
    async def health() -> dict[str, Any]:
        return {"status": "ok", "version": __version__}

    @app.get("/rules", summary="Rule sets: board, notation, how far the tables reach")
    def rule_sets(response: Response) -> list[dict[str, Any]]:
        response.headers["Cache-Control"] = KEEP
        return _rule_sets(databases)

    @app.get("/", include_in_schema=False, dependencies=inside)
    def page(rules: str = "english", fen: str = "", draw: str | None = None) -> HTMLResponse:
        shown = pages.front_page(databases, rules, fen[:2000], _rule_sets(databases))
        return HTMLResponse(shown, headers=_SECURITY | {"Cache-Control": "no-cache"})

    app.mount("/static", _Static(directory=STATIC), name="static")

    @app.get("/{rules}", dependencies=inside, summary="The value of a position, its moves ranked")
    def probe(
        rules: str,
        fen: Fen,
        response: Response,
        clock: Clock = None,
        draw: Draw = None,
        move_limit: MoveLimit = None,
    ) -> Any:
        position = _position(fen, known(rules, draw, move_limit), clock)
        answer, nothing = answers.position_answer(databases.tables(position.rules), position)
        if nothing is not None:
            return JSONResponse(answer | _missing(nothing), 404, {"Cache-Control": "no-store"})
        response.headers["Cache-Control"] = KEEP
        return answer

    @app.get("/{rules}/mainline", dependencies=inside, summary="A line of perfect play")
    def mainline(
        rules: str,
        fen: Fen,
        response: Response,
        clock: Clock = None,
        draw: Draw = None,
        move_limit: MoveLimit = None,
    ) -> dict[str, Any]:
        position = _position(fen, known(rules, draw, move_limit), clock)
        response.headers["Cache-Control"] = KEEP
        return answers.line_answer(databases.tables(position.rules), position)

    @app.post("/{rules}/batch", dependencies=inside, summary="Values of many positions")
    def batch(rules: str, asked: BatchRequest) -> dict[str, Any]:
        found = known(rules)
        if len(asked.fens) > MOST_BATCH:
            raise HTTPException(413, f"{len(asked.fens)} positions; at most {MOST_BATCH} at once")
        tables = databases.tables(found)
        return {"rules": found.key, "results": answers.batch_answer(tables, found, asked.fens)}

    @app.post("/{rules}/play", dependencies=inside, summary="The perfect player's move, and why")
    def play(rules: str, asked: PlayRequest) -> dict[str, Any]:
        found = known(rules, asked.draw, asked.move_limit)
        position = _position(asked.fen, found, asked.clock)
        history = [Position.from_fen(fen, rules=found) for fen in asked.history]
        return answers.play_answer(databases, position, history)

    @app.get("/{rules}/stats", dependencies=inside, summary="Counts of slices; distances of one")
    def stats(
        rules: str,
        response: Response,
        material: Annotated[str | None, Query(max_length=40)] = None,
        metric: Annotated[str, Query(pattern="^(dtc|dtw)$")] = "dtw",
    ) -> dict[str, Any]:
        found = known(rules)
        slices = [one.to_json() for one in databases.stats(found)]
        response.headers["Cache-Control"] = KEEP
        if material is None:
            return {"rules": found.key, "slices": slices}
        name = str(Material.parse(material))
        chosen = [one for one in slices if one["material"] == name]
        if not chosen:
            raise HTTPException(404, f"no table of {name} is here")
        if chosen[0]["positions"] > MOST_COUNTED:
            raise HTTPException(
                413, f"{name} has {chosen[0]['positions']:,} positions, too many to be counted here"
            )
        histogram = databases.histogram(found.key, name, metric)
        return {"rules": found.key, "slices": chosen, "histogram": histogram.to_json()}

    return app


class _Static(StaticFiles):
    """Files of the page, which browsers may keep for a day."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "public, max-age=86400"
        return response


def _rule_sets(databases: Databases) -> list[dict[str, Any]]:
    return [
        answers.rules_answer(rules, databases.tables(rules))
        for rules in RULE_SETS.values()
        if rules.has_tables
    ]


def _position(fen: str, rules: Rules, clock: int | None) -> Position:
    position = Position.from_fen(fen, rules=rules)
    return position if clock is None else replace(position, clock=clock)


def _missing(error: MissingTableError) -> dict[str, Any]:
    return {
        "error": str(error.args[0]).partition("; searched")[0],
        "material": error.material,
        "metric": error.metric,
        "command": error.command,
    }


def _handle_errors(app: FastAPI) -> None:
    """Faults become status codes and one line of JSON."""

    def answer(status: int, error: str, **more: Any) -> JSONResponse:
        headers = {"Cache-Control": "no-store"}
        if status == 429:
            headers["Retry-After"] = "1"
        return JSONResponse({"error": error, **more}, status, headers)

    @app.exception_handler(Busy)
    async def busy(request: Request, error: Busy) -> JSONResponse:
        return answer(429, "too many requests at a time; come again in a second")

    @app.exception_handler(MissingTableError)
    async def missing(request: Request, error: MissingTableError) -> JSONResponse:
        return JSONResponse(_missing(error), 404, {"Cache-Control": "no-store"})

    @app.exception_handler(CorruptTableError)
    async def damaged(request: Request, error: CorruptTableError) -> JSONResponse:
        return answer(500, answers.damage_words(error))

    @app.exception_handler(CrownbaseError)
    async def fault(request: Request, error: CrownbaseError) -> JSONResponse:
        return answer(400, str(error))

    @app.exception_handler(ValueError)
    async def value(request: Request, error: ValueError) -> JSONResponse:
        return answer(400, str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return answer(400, _first_fault(error.errors()))

    @app.exception_handler(StarletteError)
    async def refused(request: Request, error: StarletteError) -> JSONResponse:
        return answer(error.status_code, str(error.detail))


def _first_fault(faults: Sequence[Any]) -> str:
    """``query fen: Field required``: what is wrong first, and where."""
    where = " ".join(str(part) for part in faults[0]["loc"])
    given = faults[0].get("input")
    shown = f" ({str(given)[:60]!r})" if isinstance(given, str | int | float) else ""
    return f"{where}: {faults[0]['msg']}{shown}"
