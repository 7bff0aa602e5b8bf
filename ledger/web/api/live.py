"""What happens, as it happens: streams of entries for pages and programs (contract of HTTP, section 5), as server-sent
events or as lines of JSON.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct, json

from ledger.errors import LedgerError, MalformedError
from ledger.events import StreamName
from ledger.service.hub import Listener
from ledger.service.live_buffer import Follower, Opening, backfill, opened_meanwhile
from ledger.service.running import Service
from ledger.streams import stream_type
from ledger.table.repository import no_stream
from ledger.validation import malformed
from ledger.web.http.auth import admitted
from ledger.web.http.problems import WebError, web_error
from ledger.web.http.reading import seen, view_of
from ledger.web.http.request import Request
from ledger.web.http.response import Response, StreamResponse
from ledger.web.http.routing import route

RETRY_MS: Final = 2_000
"""So long a browser waits before it comes again."""


class ServerSentEvents:
    """What `EventSource` reads. Only entries and the head have an id, the position to go on from.

    A message without data would not be told to a page, so each has some.
    """

    media_type = "text/event-stream"
    beginning = b"retry: %d\n\n" % RETRY_MS

    def entry(self, position: int, envelope: bytes) -> bytes:
        return b"id: %d\nevent: entry\ndata: %b\n\n" % (position, envelope)

    def opened(self, table: str, deal: int) -> bytes:
        return b"event: opened\ndata: %b\n\n" % json.encode({"table": table, "deal": deal})

    def head(self, position: int) -> bytes:
        return b'id: %d\nevent: head\ndata: {"position":%d}\n\n' % (position, position)

    def reset(self) -> bytes:
        return b"event: reset\ndata: {}\n\n"

    def closing(self) -> bytes:
        return b"event: closing\ndata: {}\n\n"


class Lines:
    """One object a line: an envelope, or what happens besides entries, with its name as `event`. The head is an empty
    line: a program goes on from the last position that it has.
    """

    media_type = "application/x-ndjson"
    beginning = b"\n"

    def entry(self, position: int, envelope: bytes) -> bytes:
        return envelope + b"\n"

    def opened(self, table: str, deal: int) -> bytes:
        return json.encode({"event": "opened", "table": table, "deal": deal}) + b"\n"

    def head(self, position: int) -> bytes:
        return b"\n"

    def reset(self) -> bytes:
        return b'{"event":"reset"}\n'

    def closing(self) -> bytes:
        return b'{"event":"closing"}\n'


LiveForm: TypeAlias = ServerSentEvents | Lines
"""How a stream is written out: entries, and what happens besides them."""


class Stream:
    """The pieces of one stream, each made when the one before has been taken; an asynchronous iterator.

    It listens from now on, until `aclose`. `asked_from`: the position that was asked for, if any. `may_listen`: whether
    whoever asked still may.
    """

    def __init__(
        self,
        service: Service,
        listener: Listener,
        form: LiveForm,
        *,
        resume_from: int | None,
        may_listen: Callable[[], bool],
        receive: Callable[[], Awaitable[MutableMapping[str, Any]]],
    ) -> None:
        self._service = service
        self._hub = service.hub
        self._listener = listener
        self._form = form
        self._resume_from = resume_from
        self._may_listen = may_listen
        self._receive = receive
        self._watching: asyncio.Task[None] | None = None
        self._pieces = self._generate()
        self._hub.join(listener)

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        return await anext(self._pieces)

    async def aclose(self) -> None:
        self._hub.leave(self._listener)
        if self._watching is not None:
            self._watching.cancel()
        await self._pieces.aclose()

    async def _generate(self) -> AsyncGenerator[bytes, None]:
        listener = self._listener
        self._watching = asyncio.create_task(self._watch())
        yield self._form.beginning + await self._first()
        while not listener.has_gone:
            if self._hub.is_closing:
                yield self._form.closing()
                return
            if listener.is_due and not self._may_listen():
                return
            if listener.position < self._hub.head:
                if piece := await self._news():
                    yield piece
            elif listener.is_due:
                listener.is_due = False
                yield self._form.head(listener.position)
            else:
                await listener.wait()

    async def _watch(self) -> None:
        """Notices that the other side has gone; nothing else would tell while there is nothing to send."""
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._listener.go()

    async def _first(self) -> bytes:
        """What is told before the first entry."""
        position = self._listener.position
        if self._resume_from is None:
            return self._form.head(position)
        if self._resume_from > position:
            return self._form.reset() + self._form.head(position)
        opened = [one for one in await self._missed(position) if self._listener.follower.follows(one.stream)]
        return b"".join(self._form.opened(one.table, one.deal) for one in opened)

    async def _missed(self, position: int) -> list[Opening]:
        """The deals that may have opened while he was away, as far as what comes does not tell of them."""
        buffer, follower = self._hub.buffer, self._listener.follower
        if position > buffer.knows_openings_from:
            return [one for one in buffer.openings(position - 1) if one.position == position]
        if position == 0:
            return []
        visible, store = buffer.visible, self._service.store
        openings = await self._service.run_in_thread(lambda: opened_meanwhile(store(), visible, position, follower))
        coming = {(one.table, one.deal) for one in buffer.openings(position)}
        return [one for one in openings if (one.table, one.deal) not in coming]

    async def _news(self) -> bytes:
        """What comes next for him, possibly nothing."""
        listener, buffer = self._listener, self._hub.buffer
        after = listener.position
        if after >= buffer.begins:
            piece = buffer.piece_after(after, listener.follower)
        else:
            visible, openings, store = buffer.visible, buffer.openings(after), self._service.store
            piece = await self._service.run_in_thread(
                lambda: backfill(store(), visible, after, listener.follower, openings)
            )
        listener.position = piece.until
        return piece.content


_FORMS: Final[dict[str, LiveForm]] = {form.media_type: form for form in (ServerSentEvents(), Lines())}

Position: TypeAlias = Annotated[int, Meta(ge=0)]


class LiveQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`streams`: which ones, with commas between; without it all. `after`: the position of the last entry known; the
    header Last-Event-ID goes before it. Without either it begins now.
    """

    streams: str | None = None
    after: Position | None = None


@route(
    "GET",
    "/live",
    "viewer",
    query=LiveQuery,
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
    wrong = [one for one in sorted(streams or ()) if one not in service.versions or not follower.follows(one)]
    if wrong:
        raise await service.run_in_thread(lambda: no_stream(seen(request), wrong[0]))
    resume_from = _resume_from(request)
    limit = service.hub.reached_limit(grant.token, request.csrf)
    if limit is not None:
        raise web_error("too_many_requests", "too_many_streams", limit=limit)
    position = min(service.hub.head, service.hub.head if resume_from is None else resume_from)
    pieces = Stream(
        service,
        Listener(follower, position, grant.token, request.csrf),
        form,
        resume_from=resume_from,
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


def _resume_from(request: Request) -> int | None:
    """The position to go on from; None: from now on. Raises `MalformedError`."""
    text = request.headers.get("last-event-id")
    if not text:
        after: int | None = request.query.after
        return after
    try:
        return msgspec.convert(text, Position, strict=False)
    except msgspec.ValidationError as error:
        refused = malformed(error, text, Position)
        raise MalformedError("Last-Event-ID", refused.expected, text[:100]) from None


def _may_listen(request: Request) -> bool:
    """Whether whoever asked still may, and nothing else than then."""
    try:
        return admitted(request.service, request.route, request).grant == request.grant
    except (WebError, LedgerError):
        return False
