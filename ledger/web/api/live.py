"""Live streams of entries (contract of HTTP, section 5), as server-sent events or as lines of JSON."""

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
"""The time that a browser waits before it reconnects."""


class ServerSentEvents:
    """The format that `EventSource` reads. Only entries and the head have an id, the position to resume from.

    Every message has data: without data a browser would not deliver it.
    """

    media_type = "text/event-stream"
    beginning = b"retry: %d\n\n" % RETRY_MS

    def entry(self, position: int, envelope: bytes) -> bytes:
        """Return an entry."""
        return b"id: %d\nevent: entry\ndata: %b\n\n" % (position, envelope)

    def opened(self, table: str, deal: int) -> bytes:
        """Return the notice that a deal has opened."""
        return b"event: opened\ndata: %b\n\n" % json.encode({"table": table, "deal": deal})

    def head(self, position: int) -> bytes:
        """Return the position of the head."""
        return b'id: %d\nevent: head\ndata: {"position":%d}\n\n' % (position, position)

    def reset(self) -> bytes:
        """Return the notice that the requested position does not exist."""
        return b"event: reset\ndata: {}\n\n"

    def closing(self) -> bytes:
        """Return the notice that the service is ending."""
        return b"event: closing\ndata: {}\n\n"


class JsonLines:
    """The format with one object a line: an envelope, or another message with its name as `event`. The head is an empty
    line: a program resumes from the last position that it has.
    """

    media_type = "application/x-ndjson"
    beginning = b"\n"

    def entry(self, position: int, envelope: bytes) -> bytes:
        """Return an entry."""
        return envelope + b"\n"

    def opened(self, table: str, deal: int) -> bytes:
        """Return the notice that a deal has opened."""
        return json.encode({"event": "opened", "table": table, "deal": deal}) + b"\n"

    def head(self, position: int) -> bytes:
        """Return an empty line."""
        return b"\n"

    def reset(self) -> bytes:
        """Return the notice that the requested position does not exist."""
        return b'{"event":"reset"}\n'

    def closing(self) -> bytes:
        """Return the notice that the service is ending."""
        return b'{"event":"closing"}\n'


LiveForm: TypeAlias = ServerSentEvents | JsonLines
"""A format of live streams: entries and other messages."""


class Stream:
    """An asynchronous iterator of the pieces of one stream, each made when the previous one has been taken.

    It listens until `aclose`. `resume_from`: the requested position, if any. `may_listen`: whether the client is still
    admitted.
    """

    def __init__(
        self,
        service: Service,
        listener: Listener,
        form: LiveForm,
        *,
        resume_from: int | None,
        may_listen: Callable[[], Awaitable[bool]],
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
        """Stop listening."""
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
            if listener.is_due and not await self._may_listen():
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
        """Detect a disconnect, which would not be noticed while there is nothing to send."""
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._listener.go()

    async def _first(self) -> bytes:
        """Return the content before the first entry."""
        position = self._listener.position
        if self._resume_from is None:
            return self._form.head(position)
        if self._resume_from > position:
            return self._form.reset() + self._form.head(position)
        opened = [one for one in await self._missed(position) if self._listener.follower.follows(one.stream)]
        return b"".join(self._form.opened(one.table, one.deal) for one in opened)

    async def _missed(self, position: int) -> list[Opening]:
        """Return the deals that may have opened while the client was away, unless later pieces include them."""
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
        """Return the next piece, which may be empty."""
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


_FORMS: Final[dict[str, LiveForm]] = {form.media_type: form for form in (ServerSentEvents(), JsonLines())}

Position: TypeAlias = Annotated[int, Meta(ge=0)]


class LiveQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`streams`: their names, separated by commas; by default all. `after`: the position of the last known entry; the
    header Last-Event-ID takes precedence. Without either the stream begins now.
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
    """Stream every entry from a position on, then each new one."""
    service, grant, form = request.service, request.grant, _FORMS[request.media]
    streams = None if request.query.streams is None else frozenset(_streams_of(request.query.streams))
    follower = Follower(view_of(request), streams, form)
    resume_from = _resume_from(request)
    is_ahead = resume_from is not None and resume_from > service.hub.head
    if is_ahead or any(one not in service.versions and follower.follows(one) for one in streams or ()):
        await service.look()  # another process may have recorded it and answered this client
    wrong = [one for one in sorted(streams or ()) if one not in service.versions or not follower.follows(one)]
    if wrong:
        raise await service.run_in_thread(lambda: no_stream(seen(request), wrong[0]))
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
    """Return the position to resume from; None to begin now. Raise `MalformedError`."""
    text = request.headers.get("last-event-id")
    if not text:
        after: int | None = request.query.after
        return after
    try:
        return msgspec.convert(text, Position, strict=False)
    except msgspec.ValidationError as error:
        refused = malformed(error, text, Position)
        raise MalformedError("Last-Event-ID", refused.expected, text[:100]) from None


async def _may_listen(request: Request) -> bool:
    """Return whether the client is still admitted, with the same rights."""
    try:
        who = await request.service.ask_access(lambda: admitted(request.service, request.route, request))
        return who.grant == request.grant
    except (WebError, LedgerError):
        return False
