"""Corrections, disputes and rulings: entries that change how a record is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from ledger.access.grants import Grant
from ledger.errors import MalformedError
from ledger.events import (
    Amount,
    Amounts,
    Award,
    Corrected,
    DealNumber,
    DisputeRaised,
    EntryId,
    Event,
    Recordable,
    RulingKind,
    Seat,
    Text,
    Version,
)
from ledger.limits import CORRECTION_EVENTS, TEXT_CHARS
from ledger.log.base import Row
from ledger.recording import directing
from ledger.recording.adding import Added, AddEvents, Addition
from ledger.recording.correcting import CorrectionAction, CorrectionTarget, EntryReference, deals_at, with_hidden_cards
from ledger.recording.moved_seats import EntryCorrection, corrections_of, corrections_together
from ledger.service.authorized_store import AuthorizedStore
from ledger.service.commands import AddAsSeen
from ledger.streams import TABLE
from ledger.table.corrections import corrected_reading
from ledger.table.disputes import disputes_of
from ledger.table.fold import TableFold
from ledger.table.repository import signatures
from ledger.web.api.entries import checked_id
from ledger.web.catalogue import phrase
from ledger.web.http.etags import Expected, expected, required
from ledger.web.http.problems import web_error
from ledger.web.http.reading import view_of
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import PREFIX, route

_ATTEMPTS: Final = 5
"""The number of attempts while another process changes the table."""

_FIRST_BEHIND_OPENING: Final = 2
"""The version of the first entry that a deal may start with."""

_PROBLEMS: Final = ("malformed", "not_found", "wrong_version", "id_used", "partly_recorded")

_ADDED: Final = {201: Addition, 200: Addition}

_Expected = Annotated[int, Meta(ge=0)]
_Words = Annotated[str, Meta(max_length=TEXT_CHARS)]


class CorrectionSent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A correction of one entry, named by version, or by deal and step, else the last one that is read.

    `events` or `words` (as in a hand record) replace the entry or follow it. `confirm`: required for disputes and
    rulings. `keep_seats`: later cards stay with their seats. `dry_run`: only show what would change.
    """

    id: EntryId
    action: CorrectionAction
    reason: Text
    version: Version | None = None
    deal: DealNumber | None = None
    step: Annotated[int, Meta(ge=1)] | None = None
    events: Annotated[list[Recordable], Meta(min_length=1, max_length=CORRECTION_EVENTS)] | None = None
    words: _Words | None = None
    expected_version: _Expected | None = None
    confirm: bool = False
    keep_seats: bool = False
    dry_run: bool = False


class DisputeSent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A dispute about a deal, or about one entry of it, named by version or by step. `seat`: the player's seat."""

    id: EntryId
    deal: DealNumber
    text: Text
    seat: Seat | None = None
    version: Version | None = None
    step: Annotated[int, Meta(ge=1)] | None = None
    expected_version: _Expected | None = None


class RulingSent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling on a deal, with the fields of `ruling_given`; `rule` may omit its letters. `dry_run`: only show the
    result.

    `confirm` is accepted and not required.
    """

    id: EntryId
    deal: DealNumber
    kind: RulingKind
    text: Text
    rule: Annotated[str, Meta(max_length=40)] | None = None
    deltas: Amounts | None = None
    pool: Amount | None = None
    award: Award | None = None
    dispute: Version | None = None
    expected_version: _Expected | None = None
    confirm: bool = False
    dry_run: bool = False


def check_may_correct(request: Request, table: str) -> None:
    """Raise `WebError` for a viewer without a seat, who can have raised no dispute."""
    if request.grant.seat is None and not request.grant.at_least("recorder"):
        raise web_error("forbidden", "role", needed="recorder", role=request.grant.role)


@route(
    "POST",
    "/tables/{table}/corrections",
    "viewer",
    body=CorrectionSent,
    answers=_ADDED,
    problems=(*_PROBLEMS, "precondition_required", "confirm_required", "deal_shown"),
    guard=check_may_correct,
)
async def correct(request: Request, table: str) -> Response:
    """Correct an entry, and show what that changes. Recorders undo their own acts in the last deal; players
    withdraw undecided disputes of their own.

    The record itself never changes.
    """
    sent: CorrectionSent = request.data
    precondition = required(request.headers, sent.expected_version)
    return _answer(await correct_entry(request, TABLE.slug(table), sent, precondition), sent.dry_run)


async def correct_entry(
    request: Request, table: str, sent: CorrectionSent, precondition: Expected, *, is_shown: bool = False
) -> Added:
    """Correct an entry, or show what that would change. `is_shown`: with display names."""
    _check_words(sent)
    named, grant = EntryReference(version=sent.version, deal=sent.deal, step=sent.step), request.grant
    if sent.action not in ("strike", "restore") and not grant.at_least("director"):
        raise web_error("forbidden", "only_undo")

    def make(fold: TableFold, store: AuthorizedStore) -> Sequence[Event]:
        version, rows = named.place(fold).version, store.whole.read_stream(TABLE.stream(table))
        if sent.action != "strike" or not may_withdraw(grant, fold, rows, version):
            check_may_change(grant, fold, version, rows)
        events = corrections_of(
            fold, table, named, sent.action, sent.words or sent.events, sent.reason,
            is_meant=sent.confirm or sent.dry_run, keep_seats=sent.keep_seats,
        )  # fmt: skip
        return _with_what_is_hidden(store, table, fold, events)

    return await _added(
        request, table, sent.id, precondition, make,
        deals=lambda fold: deals_at(fold, named.place(fold)), is_shown=is_shown, dry_run=sent.dry_run,
    )  # fmt: skip


async def correct_acts(
    request: Request,
    table: str,
    changes: Sequence[EntryCorrection],
    reason: str,
    *,
    id: str,
    expected_version: int | None = None,
    dry_run: bool = False,
) -> Added:
    """Correct acts of one deal together, all or none, or show what that would change, with display names.

    Unlike programs, a recorder's page may also replace the recorder's own acts of the last deal, and it confirms
    corrections of their own disputes.
    """

    def make(fold: TableFold, store: AuthorizedStore) -> Sequence[Event]:
        rows = store.whole.read_stream(TABLE.stream(table))
        for change in changes:
            check_may_change(request.grant, fold, change.version, rows)
        meant = [one.version for one in changes if _is_own_dispute(request.grant, fold, rows, one.version)]
        return _with_what_is_hidden(store, table, fold, corrections_together(fold, table, changes, reason, meant))

    return await _added(
        request, table, id, Expected(expected_version), make,
        deals=lambda fold: deals_at(fold, CorrectionTarget(changes[0].version)), is_shown=True, dry_run=dry_run,
    )  # fmt: skip


@route("POST", "/tables/{table}/disputes", "viewer", body=DisputeSent, answers=_ADDED, problems=_PROBLEMS)
async def dispute(request: Request, table: str) -> Response:
    """Raise a dispute about a deal: for one's own seat, or as recorder or director."""
    sent: DisputeSent = request.data
    grant = request.grant
    seat = sent.seat
    if grant.seat is not None and not grant.at_least("director"):
        if seat not in (None, grant.seat):
            raise web_error("forbidden", "seat_of_others", seat=grant.seat)
        seat = grant.seat
    elif not may_dispute(grant):
        raise web_error("forbidden", "not_seated")
    added = await _added(
        request, TABLE.slug(table), sent.id, expected(request.headers, sent.expected_version),
        lambda fold, _: [
            directing.dispute(fold, sent.deal, sent.text, player=seat, version=sent.version, step=sent.step)
        ],
    )  # fmt: skip
    return _answer(added)


@route(
    "POST",
    "/tables/{table}/rulings",
    "director",
    body=RulingSent,
    answers=_ADDED,
    problems=(*_PROBLEMS, "precondition_required", "still_unscorable"),
)
async def rule_on(request: Request, table: str) -> Response:
    """Rule on a deal, and show what that changes."""
    sent: RulingSent = request.data
    precondition = required(request.headers, sent.expected_version)
    return _answer(await give_ruling(request, TABLE.slug(table), sent, precondition), sent.dry_run)


async def give_ruling(
    request: Request, table: str, sent: RulingSent, precondition: Expected, *, is_shown: bool = False
) -> Added:
    """Record a ruling, or show what it would change. `is_shown`: with display names."""
    award = None if sent.award is None else msgspec.to_builtins(sent.award)
    return await _added(
        request, table, sent.id, precondition,
        lambda fold, _: [
            directing.ruling(
                fold, sent.deal, sent.kind, sent.text, rule=sent.rule, deltas=sent.deltas, pool=sent.pool, award=award,
                dispute=sent.dispute,
            )
        ],
        deals=lambda fold: (sent.deal,), is_shown=is_shown, dry_run=sent.dry_run,
    )  # fmt: skip


def may_dispute(grant: Grant) -> bool:
    """Return whether the client may raise disputes: recorders, directors, and players about tables they sit at."""
    return grant.seat is not None or grant.at_least("recorder")


def may_withdraw(grant: Grant, fold: TableFold, rows: Sequence[Row], version: int) -> bool:
    """Return whether the entry is an open dispute that this token raised and nobody else has corrected.

    Everything recorded with a token for one seat belongs to its player; other tokens are shared under several names.
    """
    return all(_is_own(grant, rows[at - 1].recorded_by) for at in _touching(fold, version)) and any(
        one.version == version and one.state == "open" for one in disputes_of(fold)
    )


def _is_own(grant: Grant, recorded_by: str) -> bool:
    is_of_seat = grant.seat is not None and recorded_by.partition("/")[0] == grant.token
    return recorded_by == grant.recorded_by or is_of_seat


def _is_own_dispute(grant: Grant, fold: TableFold, rows: Sequence[Row], version: int) -> bool:
    is_dispute = isinstance(fold.recorded[version - 1][1], DisputeRaised)
    return is_dispute and all(_is_own(grant, rows[at - 1].recorded_by) for at in _touching(fold, version))


def _touching(fold: TableFold, version: int) -> Iterator[int]:
    """Yield the versions of the entry and of all corrections of it."""
    for at, event in fold.recorded:
        if at == version or (isinstance(event, Corrected) and event.version == version):
            yield at


def check_may_change(grant: Grant, fold: TableFold, version: int, rows: Sequence[Row]) -> None:
    """Raise `WebError` unless the client is a director, or the only recorder of that entry of the last deal."""
    if grant.at_least("director"):
        return
    if not grant.at_least("recorder"):
        raise web_error("forbidden", "not_own_dispute", text=str(version))
    if version < (fold.deals[-1].version if fold.deals else _FIRST_BEHIND_OPENING):
        raise web_error("forbidden", "not_last_deal", version=version)
    for at in _touching(fold, version):
        if (other := rows[at - 1].recorded_by) != grant.recorded_by:
            raise web_error("forbidden", "not_own", version=at, recorded_by=other)


def _check_words(sent: CorrectionSent) -> None:
    """Raise `MalformedError` if the entry is named in two ways, or its replacement is missing or superfluous."""
    by_version, by_step = sent.version is not None, sent.deal is not None or sent.step is not None
    if (by_version and by_step) or (sent.deal is None) != (sent.step is None):
        raise MalformedError(phrase("entry_twice"), phrase("which_entry"), field="version")
    given = [sent.events is not None, sent.words is not None].count(True)
    if given != (sent.action in ("replace", "insert_after")):
        raise MalformedError(phrase("both_or_neither", text=sent.action), phrase("events_or_words"), field="events")


async def _added(
    request: Request,
    table: str,
    id: str,
    precondition: Expected,
    make: Callable[[TableFold, AuthorizedStore], Sequence[Event]],
    *,
    deals: Callable[[TableFold], Sequence[int]] = lambda fold: (),
    is_shown: bool = False,
    dry_run: bool = False,
) -> Added:
    """Add events made from what the client may see of the table, in the writer's turn; return the result.

    `is_shown`: with display names of players.
    """
    stream = TABLE.stream(table)
    recorded_by, checked = request.grant.recorded_by, checked_id(id, "id")

    def add(store: AuthorizedStore) -> AddEvents:
        return AddEvents(
            by=recorded_by,
            store=store,
            table=table,
            make=lambda fold: make(fold, store),
            id=checked,
            expected_version=precondition.version,
            dry_run=dry_run,
            deals=deals,
            names=store.display_names() if is_shown else None,
            lang=request.lang,
            shown=lambda entry: store.shown(stream, entry),
            check=lambda batch: store.check_shown([batch]) if dry_run else store.check_append([batch]),
        )

    command = AddAsSeen(
        by=recorded_by, attempts=_ATTEMPTS, table=table, view=view_of(request), id=checked, dry_run=dry_run, add=add
    )
    with precondition.converting_conflict():
        return await request.service.record(command)


def _with_what_is_hidden(
    store: AuthorizedStore, table: str, fold: TableFold, events: Sequence[Event]
) -> Sequence[Event]:
    """Return the events with hidden cards restored where a correction does not change them."""
    stream = TABLE.stream(table)
    if not store.hides(stream):
        return events
    rows = store.whole.read_stream(stream)[: len(fold.recorded)]
    entries = [(row.version, row.event()) for row in rows]
    full = TableFold(corrected_reading(entries), entries, signed=signatures(rows, entries))
    return [with_hidden_cards(one, fold, full) if isinstance(one, Corrected) else one for one in events]


def _answer(added: Added, dry_run: bool = False) -> Response:
    if dry_run:
        return Response(added.answer())
    first, last = added.version, added.version + len(added.more)
    return Response(
        added.answer(),
        status_code=200 if added.already_recorded else 201,
        headers={
            "etag": f'"{last}"',
            "location": f"{PREFIX}/streams/{TABLE.prefix}{added.table}/entries?after_version={first - 1}",
        },
    )
