"""Recording by the forms of pages: all entries or none, and only once even if a form is sent twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from unicodedata import normalize

from msgspec import structs

from ledger.access.grants import Grant
from ledger.errors import AgainstRulesError, ConflictError, LedgerError, MalformedError
from ledger.events import Event, SessionOpened, TableOpened
from ledger.limits import SLUG_CHARS
from ledger.log.append_rules import is_canonical_id, new_id
from ledger.log.base import Head, NewEntry
from ledger.recording.live import LiveTable
from ledger.service.commands import Entries
from ledger.service.visibility import NO_DIGEST
from ledger.streams import TABLE
from ledger.text.site.catalogue import say
from ledger.web.api.entries import act_of, check_may_open, check_stream, may_open
from ledger.web.http.reading import seen
from ledger.web.http.request import Request

IDS: Final = "ids"
VERSION: Final = "version"
_IDS_OF_A_FORM: Final = 12

_NO_SIGN_OF_A_SLUG: Final = re.compile(r"[^a-z0-9]+")

Form = Mapping[str, str]


def sending(version: int | None = None) -> dict[str, Any]:
    """Return the hidden fields of a form: the ids of its entries, and the version that its reader has seen."""
    return {IDS: " ".join(new_id() for _ in range(_IDS_OF_A_FORM)), VERSION: version}


async def record(request: Request, *streams: tuple[str, Sequence[Event]], as_played: bool = False) -> None:
    """Record entries of streams in this order. Raise the refusal, `wrong_version` if somebody was faster."""
    ids = entry_ids(request.data)
    version = request.data.get(VERSION, "")
    expected = int(version) if version.isascii() and version.isdecimal() and len(version) < 10 else None
    batches = []
    for stream, events in streams:
        opens = isinstance(events[0], TableOpened | SessionOpened)
        if opens:
            check_may_open(request, stream, (event for _, events in streams for event in events))
        check_stream(request, stream, opens=opens)
        entries = tuple(NewEntry(event, next(ids)) for event in events)
        batches.append(Entries(stream=stream, entries=entries, expected_version=0 if opens else expected, opens=opens))
    await request.service.record(act_of(request, tuple(batches), as_played))


def tables_to_open(request: Request) -> list[str]:
    """Return the tables that a token bound to them may open and that are not open yet; none for other tokens."""
    if request.grant.tables is None or not may_open(request.grant):
        return []
    store = seen(request)
    return [table for table in request.grant.tables if not store.read_stream(TABLE.stream(table))]


def may_close_evenings(grant: Grant) -> bool:
    """Return whether the client may close evenings: directors of all tables may."""
    return grant.at_least("director") and grant.tables is None


def entry_ids(form: Form) -> Iterator[str]:
    """Yield the ids that the form brings for its entries, so that sending it again records nothing; then new ids."""
    yield from (one for one in form.get(IDS, "").lower().split()[:_IDS_OF_A_FORM] if is_canonical_id(one))
    while True:
        yield new_id()


def as_first_sent(request: Request) -> Request:
    """Return the request with the ledger as it was before its form was recorded, if it was: a form that is sent twice
    then makes the same entries, which are recorded once.
    """
    first = next(entry_ids(request.data))
    row = seen(request).known_ids([first]).get(first)
    if row is None or row.position > request.visible.head.position:
        return request
    return request.replace(visible=structs.replace(request.visible, head=Head(row.position - 1, NO_DIGEST)))


def live_table(request: Request, table: str) -> LiveTable:
    """Return the table as the client may see it, to be read and tried on. Raise `NotFoundError`."""
    return LiveTable.resume(seen(request), table)


def dealer_due(live: LiveTable) -> int:
    """Return the next dealer; if any seat may deal, the last one, so that the first one begins."""
    due = live.dealer_due()
    return len(live.fold.players) - 1 if due is None else due


def shown_names(request: Request, players: Sequence[str]) -> list[str]:
    """Return the display names of players."""
    names = seen(request).display_names()
    return [names.get(player, player) for player in players]


def slug_of(text: str) -> str:
    """Return a title as part of an address; empty if none of it is allowed there."""
    plain = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return _NO_SIGN_OF_A_SLUG.sub("-", plain).strip("-")[: SLUG_CHARS - 4].strip("-")


def seat_in_field(form_data: Form, name: str, seats: int) -> int | None:
    """Return the seat in a field; None if it has none."""
    text = form_data.get(name)
    return int(text) if text is not None and text in map(str, range(seats)) else None


def refusal_text(error: LedgerError, lang: str) -> str:
    """Return why nothing was recorded, for the reader of a form."""
    if isinstance(error, ConflictError) and error.code in ("id_used", "partly_recorded"):
        return say(lang, "start.sent_before")
    if isinstance(error, ConflictError) and error.code == "wrong_version":
        return say(lang, "start.meanwhile")
    if isinstance(error, MalformedError | AgainstRulesError):
        error.where = None
    return error.message(lang)
