"""The first requests of a program: the routes, the state of the service, and the client's own rights."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct, structs

from ledger import __version__
from ledger.access.grants import Role
from ledger.i18n import Text
from ledger.log.open_files import ReplacedError
from ledger.web.catalogue import phrase
from ledger.web.http.openapi import openapi
from ledger.web.http.problems import RETRY_AFTER_S, STATUSES, WebError, web_error
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import PREFIX, ROUTES, route

STUCK_S: Final = 5.0
"""The time of one commit after which the disk or another writer must be blocking it."""


class Root(Struct, frozen=True, kw_only=True):
    """The path templates of all reads, by the names of their routes."""

    name: str
    version: str
    links: dict[str, str]


class Health(Struct, frozen=True):
    status: Literal["ok"] = "ok"


class Me(Struct, frozen=True, kw_only=True):
    """The client: the id of the token, the name of the signed-in browser, and its rights.

    `name`: as typed at sign-in, with a number if it was used before. The client's entries are recorded by `token`, or
    by `token/name` if there is a name.

    `csrf`: the value of `X-CSRF-Token` that a signed-in browser sends with each change; null for a client with a token.
    """

    token: str
    name: str | None
    role: Role
    hands: bool
    tables: tuple[str, ...] | None
    seat: int | None
    may_open: bool
    csrf: str | None


@route("GET", "/", "none", answers={200: Root}, rests_on="program")
async def root(request: Request) -> Response:
    """Return the paths of all reads."""
    links = dict(sorted((one.name, PREFIX + one.path) for one in ROUTES if one.method == "GET"))
    return Response(Root(name="trickledger", version=__version__, links=links))


@route("GET", "/health", "none", answers={200: Health})
async def health(request: Request) -> Response:
    """Return whether the service answers at all."""
    return Response(Health())


@route("GET", "/ready", "none", answers={200: Health}, problems=("closing", "busy", "rolled_back"))
async def ready(request: Request) -> Response:
    """Return whether the service accepts requests: 503 while ending, with a stuck writer, or with other files of
    the ledger.
    """
    service = request.service
    if service.is_closing:
        raise web_error("closing", "closing")
    if (why := service.writer.trouble) is not None:
        why = why.with_traceback(None)
        raise why if isinstance(why, ReplacedError) or STATUSES.get(why.code) == 503 else stuck(why.said)
    if service.writer.at_it_s > STUCK_S:
        raise stuck(phrase("stuck"))
    return Response(Health())


def stuck(said: Text) -> WebError:
    """Return the error for a writer that makes no progress."""
    return WebError("busy", said, {"retry-after": str(RETRY_AFTER_S["busy"])})


@route("GET", "/me", "any", answers={200: Me})
async def me(request: Request) -> Response:
    """Return the client's identity and rights."""
    return Response(Me(**structs.asdict(request.grant), csrf=request.csrf))


@route("GET", "/openapi.json", "none", answers={200: dict[str, Any]}, rests_on="program")
async def openapi_document(request: Request) -> Response:
    """Return this description of all routes, as OpenAPI 3.1."""
    return Response(openapi())
