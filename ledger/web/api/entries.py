"""Recording: entries of tables and sessions. Each request is checked and recorded as a whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Final

from msgspec import Meta, Struct, structs

from ledger.access.grants import Grant
from ledger.errors import MalformedError, NotFoundError
from ledger.events import (
    Corrected,
    EntryId,
    Event,
    HandsOpened,
    RulingGiven,
    SessionClosed,
    SessionOpened,
    Slug,
    StreamName,
    TableClosed,
    TableOpened,
    Time,
)
from ledger.games.kernel.views import Legal
from ledger.log.append_rules import canonical_id, checked_time
from ledger.log.base import Acknowledgement, NewEntry
from ledger.recording.sessions import session_state
from ledger.service.commands import Entries, RecordEntries, StreamState
from ledger.streams import SESSION, TABLE, StreamType, stream_type
from ledger.table.answers import Finding
from ledger.table.repository import no_table, session_entries
from ledger.web.api.streams import check_kind
from ledger.web.api.tables import listed
from ledger.web.http.etags import Expected, expected
from ledger.web.http.problems import web_error
from ledger.web.http.reading import seen
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import PREFIX, route

ENTRIES: Final = 1_000
"""The most entries of one request."""

_PROBLEMS: Final = ("malformed", "too_large", "wrong_version", "id_used", "partly_recorded", "precondition_required")
_PROBLEMS_OF_ENTRIES: Final = (*_PROBLEMS, "against_rules", "not_found", "confirm_required", "deal_shown")

_DIRECTORS: Final = frozenset((RulingGiven, Corrected))
"""Events that change what was recorded: their own routes check rights and confirmation."""


class EntrySent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One entry to record. The same `id` again is the same entry. `happened_at`: the time of the event."""

    id: EntryId
    event: Event
    happened_at: Time | None = None


_Entries = Annotated[list[EntrySent], Meta(min_length=1, extra_json_schema={"maxItems": ENTRIES})]
_Expected = Annotated[int, Meta(ge=0)]


class EntriesSent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Entries for one stream. `expected_version`: of its last entry; nothing is recorded if it has changed.

    `as_played`: record rule breaks, too, because they happened. `confirm`: close a session although tables of it are
    open.
    """

    entries: _Entries
    expected_version: _Expected | None = None
    as_played: bool = False
    confirm: bool = False


class BatchSent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Entries for one of several streams. `expected_version`: as in `EntriesSent`, 0 for a new stream."""

    stream: StreamName
    entries: _Entries
    expected_version: _Expected | None = None


class BatchesSent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Entries for several streams, recorded in this order, all of them or none.

    `as_played`, `confirm`: as in `EntriesSent`.
    """

    batches: Annotated[list[BatchSent], Meta(min_length=1)]
    as_played: bool = False
    confirm: bool = False


class TableSent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table to open under this name. The same `id` again is the same table."""

    id: EntryId
    slug: Slug
    event: TableOpened


class SessionSent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A session to open under this name. The same `id` again is the same session."""

    id: EntryId
    slug: Slug
    event: SessionOpened


class EntriesRecorded(Struct, frozen=True, kw_only=True):
    """The positions of the recorded entries, and the stream after them: turn, legal events and findings."""

    stream: str
    first_version: int
    last_version: int
    first_position: int
    last_position: int
    ids: tuple[str, ...]
    already_recorded: bool
    version: int
    turn: int | None
    legal: Legal
    findings: tuple[Finding, ...]


_RECORDED: Final = {201: EntriesRecorded, 200: EntriesRecorded}


class BatchesRecorded(Struct, frozen=True, kw_only=True):
    """The receipts of several batches, in the order of the request."""

    receipts: tuple[EntriesRecorded, ...]


@route(
    "POST",
    "/streams/{kind}/{slug}/entries",
    "recorder",
    body=EntriesSent,
    answers=_RECORDED,
    problems=_PROBLEMS_OF_ENTRIES,
)
async def record_entries(request: Request, kind: str, slug: str) -> Response:
    """Record entries in this order, all of them or none."""
    sent: EntriesSent = request.data
    stream = f"{kind}/{slug}"
    check_stream(request, stream)
    _check_number(len(sent.entries))
    precondition = expected(request.headers, sent.expected_version)
    batch = Entries(
        stream=stream,
        entries=_entries(request, sent.entries, precondition, "entries"),
        expected_version=precondition.version,
    )
    await check_closing(request, (batch,), confirm=sent.confirm)
    with precondition.converting_conflict():
        try:
            written = await request.service.record(act_of(request, (batch,), sent.as_played))
        except MalformedError as error:
            raise _at_entry(error, "entries") from None
        except NotFoundError:
            if request.grant.tables is None:
                raise
            raise no_table(seen(request), slug) from None  # do not name other tables
    (acknowledged,), (state,) = written.acknowledged, written.streams
    where = f"{PREFIX}/streams/{stream}/entries?after_version={acknowledged.first_version - 1}"
    return _answer(acknowledged, state, where)


@route(
    "POST",
    "/batches",
    "recorder",
    body=BatchesSent,
    answers={201: BatchesRecorded, 200: BatchesRecorded},
    problems=_PROBLEMS_OF_ENTRIES,
)
async def record_batches(request: Request) -> Response:
    """Record entries of several streams in this order, all of them or none."""
    sent: BatchesSent = request.data
    for number, one in enumerate(sent.batches):
        stream_type(one.stream, f"batches[{number}].stream")
    if (tag := request.headers.get("if-match")) is not None:
        raise web_error("malformed", "version_of_batches", where="If-Match", text=tag[:200], status=400)
    _check_number(sum(len(one.entries) for one in sent.batches))
    opening = [entry.event for one in sent.batches for entry in one.entries]
    batches = []
    for number, one in enumerate(sent.batches):
        opens = isinstance(one.entries[0].event, TableOpened | SessionOpened)
        if opens:
            check_may_open(request, one.stream, opening)
        check_stream(request, one.stream, opens=opens)
        precondition = Expected(one.expected_version, one.expected_version is not None)
        entries = _entries(request, one.entries, precondition, f"batches[{number}].entries")
        batches.append(Entries(stream=one.stream, entries=entries, expected_version=one.expected_version, opens=opens))
    await check_closing(request, batches, confirm=sent.confirm)
    try:
        written = await request.service.record(act_of(request, tuple(batches), sent.as_played))
    except MalformedError as error:
        raise _at_entry(error, f"batches[{error.batch or 0}].entries") from None
    receipts = tuple(map(_recorded, written.acknowledged, written.streams))
    return Response(BatchesRecorded(receipts=receipts), status_code=_status(written.acknowledged))


@route("POST", "/tables", "recorder", body=TableSent, answers=_RECORDED, problems=_PROBLEMS)
async def open_table(request: Request) -> Response:
    """Open a table. Recorders need a token that allows it."""
    return await _opened(request, TABLE, "tables")


@route("POST", "/sessions", "recorder", body=SessionSent, answers=_RECORDED, problems=_PROBLEMS)
async def open_session(request: Request) -> Response:
    """Open a session. Recorders need a token that allows it."""
    return await _opened(request, SESSION, "sessions")


async def _opened(request: Request, kind: StreamType, path: str) -> Response:
    sent: TableSent | SessionSent = request.data
    stream = kind.stream(sent.slug)
    check_may_open(request, stream)
    entry = NewEntry(sent.event, checked_id(sent.id, "id"))
    precondition = expected(request.headers, None)
    if precondition.version not in (None, 0):
        raise web_error("malformed", "opens_at_0", where="If-Match", text=str(precondition.version), status=400)
    batch = Entries(stream=stream, entries=(entry,), expected_version=0, opens=True)
    try:
        written = await request.service.record(act_of(request, (batch,)))
    except MalformedError as error:
        raise replace(error, field=_path("event", error), entry=None, batch=None) from None
    (acknowledged,), (state,) = written.acknowledged, written.streams
    return _answer(acknowledged, state, f"{PREFIX}/{path}/{sent.slug}")


def check_stream(request: Request, stream: str, *, opens: bool = False) -> None:
    """Raise `WebError` if the client cannot see the stream, or may not record in it."""
    grant = request.grant
    if TABLE.has(stream):
        if not grant.sees(TABLE.slug(stream)):
            raise no_table(seen(request), TABLE.slug(stream))
        return
    check_kind(stream.partition("/")[0])
    if opens:
        return
    if not grant.at_least("director"):
        raise web_error("forbidden", "role", needed="director", role=grant.role)
    if grant.tables is not None:
        raise web_error("forbidden", "whole_ledger")


def may_open(grant: Grant) -> bool:
    """Return whether the client may open a table: directors, and tokens that allow it."""
    return grant.may_open or grant.at_least("director")


def check_may_open(request: Request, stream: str, together_with: Iterable[Event] = ()) -> None:
    """Raise `WebError` if the client may not open streams, or not this one.

    A token bound to tables opens these, and a session only `together_with` a table of it.
    """
    grant = request.grant
    if not may_open(grant):
        raise web_error("forbidden", "may_not_open")
    if grant.tables is None:
        return
    if TABLE.has(stream):
        is_allowed = grant.sees(TABLE.slug(stream))
    else:
        is_allowed = any(
            isinstance(event, TableOpened) and event.session is not None and SESSION.stream(event.session) == stream
            for event in together_with
        )
    if not is_allowed:
        raise web_error("forbidden", "opens_others")


async def check_closing(request: Request, batches: Sequence[Entries], *, confirm: bool) -> None:
    """Raise `WebError` if an unconfirmed request closes a session with open tables."""
    closing = [
        (one.stream, entry.id)
        for one in batches
        for entry in one.entries
        if isinstance(entry.event, SessionClosed) and SESSION.has(one.stream)
    ]
    if confirm or not closing:
        return
    for stream, id in closing:
        left_open = await request.service.run_in_thread(partial(_left_open, request, stream, id, batches))
        if left_open:
            session = SESSION.slug(stream)
            raise web_error("confirm_required", "session_with_open_tables", session=session, tables=left_open)


def _left_open(request: Request, stream: str, id: str | None, batches: Sequence[Entries]) -> tuple[str, ...]:
    """Return the tables that stay open if this entry closes a session; none if it is recorded already."""
    store = seen(request)
    session = SESSION.slug(stream)
    entries = session_entries(store, session)
    if not entries or session_state(entries).closed or (id is not None and store.known_ids([id])):
        return ()
    tables = {
        row.table: row.session for row in listed(request, store, store.streams(TABLE.prefix)) if row.status == "open"
    }
    for one in batches:
        for entry in one.entries:
            if isinstance(entry.event, TableOpened):
                tables[TABLE.slug(one.stream)] = entry.event.session
            elif isinstance(entry.event, TableClosed):
                tables.pop(TABLE.slug(one.stream), None)
    return tuple(table for table, of in tables.items() if of == session)


def _check_events(request: Request, events: Sequence[Event], precondition: Expected) -> None:
    """Raise `WebError` for corrections and rulings without the right, or without an expected version."""
    if HandsOpened in map(type, events) and not request.grant.hands:
        raise web_error("forbidden", "opens_hands")
    if _DIRECTORS.isdisjoint(map(type, events)):
        return
    if not request.grant.at_least("director"):
        raise web_error("forbidden", "directors_event")
    if not precondition.is_given:
        raise web_error("precondition_required", "precondition")


def _check_number(entries: int) -> None:
    if entries > ENTRIES:
        raise web_error("too_large", "too_many_entries", limit=ENTRIES)


def _entries(request: Request, sent: Sequence[EntrySent], precondition: Expected, path: str) -> tuple[NewEntry, ...]:
    _check_events(request, [one.event for one in sent], precondition)
    return tuple(_entry(one, f"{path}[{number}]") for number, one in enumerate(sent))


def _entry(sent: EntrySent, path: str) -> NewEntry:
    if sent.happened_at is not None:
        try:
            checked_time(sent.happened_at)
        except MalformedError as error:
            raise replace(error, field=f"{path}.happened_at") from None
    return NewEntry(sent.event, checked_id(sent.id, f"{path}.id"), sent.happened_at)


def checked_id(id: str, field: str) -> str:
    """Return the id in lower case. Raise `MalformedError` if it is no UUID."""
    try:
        return canonical_id(id)
    except MalformedError as error:
        raise replace(error, field=field) from None


def act_of(request: Request, batches: tuple[Entries, ...], as_played: bool = False) -> RecordEntries:
    """Return the command of a request for the writer."""
    grant = request.grant
    return RecordEntries(
        batches=batches,
        by=grant.recorded_by,
        sees_hands=grant.hands,
        as_played=as_played,
        lang=request.lang,
        size_bytes=request.data_bytes,
    )


def _at_entry(error: MalformedError, path: str) -> MalformedError:
    """Return the error with its place in the request."""
    if error.entry is None:
        return error
    return replace(error, field=_path(f"{path}[{error.entry}].event", error))


def _path(path: str, error: MalformedError) -> str:
    return path if error.faulty_field is None else f"{path}.{error.faulty_field}"


def _answer(acknowledged: Acknowledgement, state: StreamState, location: str) -> Response:
    return Response(
        _recorded(acknowledged, state),
        status_code=_status((acknowledged,)),
        headers={"etag": f'"{state.version}"', "location": location},
    )


def _status(acknowledged: Sequence[Acknowledgement]) -> int:
    return 200 if all(one.already_recorded for one in acknowledged) else 201


def _recorded(acknowledged: Acknowledgement, state: StreamState) -> EntriesRecorded:
    return EntriesRecorded(**structs.asdict(acknowledged), **structs.asdict(state))
