"""What happens, as it happens: streams of entries for pages and programs (contract of HTTP, section 5)."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct

from ledger.errors import LedgerError, MalformedError
from ledger.events import StreamName
from ledger.service.hub import Listener
from ledger.service.live_buffer import Follower
from ledger.streams import stream_type
from ledger.table.repository import no_stream
from ledger.validation import malformed
from ledger.web.http.auth import admitted
from ledger.web.http.problems import WebError, web_error
from ledger.web.http.reading import seen, view_of
from ledger.web.http.request import Request
from ledger.web.http.response import Response, StreamResponse
from ledger.web.http.routing import route
from ledger.web.http.sse import Lines, LiveForm, ServerSentEvents, Stream

_FORMS: Final[dict[str, LiveForm]] = {form.media_type: form for form in (ServerSentEvents(), Lines())}

Position: TypeAlias = Annotated[int, Meta(ge=0)]


class LiveAsked(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`streams`: which ones, with commas between; without it all. `after`: the position of the last entry known; the
    header Last-Event-ID goes before it. Without either it begins now.
    """

    streams: str | None = None
    after: Position | None = None


@route(
    "GET",
    "/live",
    "viewer",
    query=LiveAsked,
    answers={200: str},
    media=tuple(_FORMS),
    problems=("not_found", "too_many_requests"),
    is_stream=True,
)
async def live(request: Request) -> Response:
    """Every entry from a position on, then each as it is recorded; as server-sent events or as lines of JSON."""
    service, grant, form = request.service, request.grant, _FORMS[request.media]
    streams = None if request.query.streams is None else frozenset(_streams_of(request.query.streams))
    follower = Follower(view_of(request), streams, form)
    for stream in sorted(streams or ()):
        if stream not in service.versions or not follower.follows(stream):
            raise await service.beside(partial(_no_stream, request, stream))
    asked_from = _asked_from(request)
    limit = service.hub.reached_limit(grant.token, request.csrf)
    if limit is not None:
        raise web_error("too_many_requests", "too_many_streams", limit=limit)
    position = min(service.hub.head, service.hub.head if asked_from is None else asked_from)
    pieces = Stream(
        service,
        Listener(follower, position, grant.token, request.csrf),
        form,
        asked_from=asked_from,
        may_listen=lambda: _may_listen(request),
        receive=request.receive,
    )
    headers = {"trickledger-position": str(position), "x-accel-buffering": "no"}
    return StreamResponse(pieces, headers, form.media_type, ends_anywhere=True)


def _streams_of(text: str) -> list[str]:
    names = text.split(",")
    try:
        msgspec.convert(names, list[StreamName])
    except msgspec.ValidationError as error:
        raise malformed(error, names, list[StreamName]) from None
    for number, name in enumerate(names):
        stream_type(name, f"[{number}]")
    return names


def _no_stream(request: Request, stream: str) -> Exception:
    return no_stream(seen(request), stream)


def _asked_from(request: Request) -> int | None:
    """The position to go on from; None: from now on. Raises `MalformedError`."""
    told = request.headers.get("last-event-id")
    if not told:
        after: int | None = request.query.after
        return after
    try:
        return msgspec.convert(told, Position, strict=False)
    except msgspec.ValidationError as error:
        found = malformed(error, told, Position)
        raise MalformedError("Last-Event-ID", found.expected, told[:100]) from None


def _may_listen(request: Request) -> bool:
    """Whether whoever asked still may, and nothing else than then."""
    try:
        return admitted(request.service, request.route, request).grant == request.grant
    except (WebError, LedgerError):
        return False
