"""The director's desk: what waits, the room at a glance, opening hands and reopening."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Final

from ledger.errors import ConflictError, LedgerError, MalformedError, SkippingDamage
from ledger.events import Event
from ledger.history.questions.statistics import list_queries
from ledger.log.base import LogStore, StreamHead, utc_now
from ledger.recording.sessions import reopening, session_state
from ledger.service.hub import Listener
from ledger.streams import SESSION, TABLE
from ledger.table.hiding import hidden_deals_in
from ledger.table.repository import TableAsRead, no_session, no_table, recorders_shown, session_entries
from ledger.text.history import json_rows
from ledger.text.site.catalogue import say, table_title
from ledger.text.site.desk.desk_page import DeskPage, RoomState, desk_page_of
from ledger.text.site.desk.watch import TableWatch, watched
from ledger.web.api.corrections import CorrectionSent, correct_entry
from ledger.web.api.history import from_history
from ledger.web.api.tables import listed
from ledger.web.http.etags import Expected
from ledger.web.http.problems import web_error
from ledger.web.http.reading import seen, view_of
from ledger.web.http.request import Request, number_of
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.forms import IDS, VERSION, as_first_sent, entry_ids, live_table, record, refusal_text
from ledger.web.pages.frame import elsewhere, frame_of, html
from ledger.web.pages.replay import PART
from ledger.web.pages.shown_tables import RECENT_TABLES, evening_title, sound_table

_DESK: Final = "/desk"
_WATCHED_MAX: Final = 80
"""The number of tables that are watched, unless more are open or of the last evenings."""
_EVENINGS: Final = 2
"""The number of evenings whose findings are shown."""


@page(_DESK, "director", of_whole_ledger=True)
async def desk(request: Request) -> Response:
    """Show what waits for a director, and the room."""
    return await _shown(request)


@form(
    _DESK, "director", body=dict[str, str], of_whole_ledger=True, problems=("not_found", "malformed", "wrong_version")
)
async def desk_changed(request: Request) -> Response:
    """Open the hands of a table whose deals are over, or reopen a table or an evening."""
    form_data: Mapping[str, str] = request.data
    try:
        match form_data.get("do"):
            case "open_hands":
                await _open_hands(request, form_data.get("table", ""))
            case "reopen_table":
                await _reopen_table(request, form_data.get("table", ""))
            case "reopen_evening":
                await _reopen_evening(request, form_data.get("session", ""))
            case _:
                return await _shown(request, say(request.lang, "desk.nothing_chosen"))
    except (ConflictError, MalformedError) as error:
        return await _shown(request, refusal_text(error, request.lang))
    return elsewhere(_DESK)


async def _open_hands(request: Request, table: str) -> None:
    if not request.grant.hands:
        raise web_error("forbidden", "opens_hands")
    live = await request.service.run_in_thread(lambda: live_table(request, table))
    if events := live.to_open():
        await record(request, (live.stream, events))


async def _reopen_table(request: Request, table: str) -> None:
    """Strike the entry that closed the table."""
    form_data: Mapping[str, str] = request.data
    watch = await request.service.run_in_thread(lambda: _watch_of(request, table))
    if watch.closing is None:
        return
    expected = number_of(form_data.get(VERSION, ""), VERSION)
    sent = CorrectionSent(
        id=next(entry_ids(form_data)),
        action="strike",
        version=watch.closing,
        reason=say(request.lang, "desk.reopened"),
        expected_version=expected,
    )
    await correct_entry(request, table, sent, Expected(expected))


async def _reopen_evening(request: Request, session: str) -> None:
    def made() -> Event:
        store = seen(as_first_sent(request))
        entries = session_entries(store, session) if "/" not in session else []
        if not entries:
            raise no_session(store, session)
        return reopening(say(request.lang, "desk.reopened"))(entries)

    event = await request.service.run_in_thread(made)
    await record(request, (SESSION.stream(session), [event]))


async def _shown(request: Request, refusal: str | None = None) -> Response:
    phones = _recorders(request.service.hub.listeners())
    disputed = await _disputed_tables(request)
    shown = await request.service.run_in_thread(partial(_desk_of, request, phones, disputed))
    return await request.service.run_in_thread(
        lambda: html(
            request,
            "desk/body.html" if request.headers.get(PART) else "desk.html",
            status=200 if refusal is None else 422,
            refusal=refusal,
            shown=shown,
            sending={IDS: next(entry_ids({})), VERSION: None},
            position=request.visible.head.position,
        )
    )


def _recorders(listeners: Sequence[Listener]) -> Counter[str]:
    """Return the number of clients that may record and follow one table alone, by table."""
    streams = (one.follower.streams for one in listeners if one.follower.view.writer)
    return Counter(TABLE.slug(next(iter(of))) for of in streams if of is not None and len(of) == 1)


async def _disputed_tables(request: Request) -> frozenset[str]:
    """Return the tables with open disputes, as far as the read model knows them; a small club needs no read model."""
    if sum(map(TABLE.has, request.service.versions)) <= _WATCHED_MAX or request.service.history.position == 0:
        return frozenset()
    with suppress(LedgerError):
        answer = await from_history(request, lambda history: history.answer_to(list_queries()["open_disputes"]).answer)
        return frozenset(str(row["table"]) for row in json_rows(answer))
    return frozenset()


def _desk_of(request: Request, phones: Mapping[str, int], disputed: frozenset[str]) -> DeskPage:
    store = seen(request)
    heads = sorted(store.streams(TABLE.prefix), key=lambda head: -head.last_position)
    chosen = _chosen(request, store, heads[:RECENT_TABLES])
    known = {head.stream for head in chosen}
    chosen += [head for head in heads if TABLE.slug(head.stream) in disputed and head.stream not in known]
    watches = [one for head in chosen if (one := _watched(request, store, head)) is not None]
    evening = cache(partial(evening_title, store))
    sessions = list(dict.fromkeys(one.session for one in watches if one.session is not None))
    states = {}
    for session in sessions:
        with SkippingDamage():
            if entries := session_entries(store, session):
                states[session] = session_state(entries)
    state = RoomState(
        titles={one.table: table_title(one.table, one.session, evening(one.session), request.lang) for one in watches},
        evenings={slug: one.title or slug for slug, one in states.items() if not one.closed},
        closed_evenings={slug: one.title or slug for slug, one in list(states.items())[:_EVENINGS] if one.closed},
        hidden=frozenset(map(TABLE.slug, request.visible.hidden)),
        phones=phones,
        opens=frame_of(request).opens,
        opens_hands=request.grant.hands,
        now=utc_now(),
    )
    return desk_page_of(watches, state, request.lang)


def _chosen(request: Request, store: LogStore, heads: Sequence[StreamHead]) -> list[StreamHead]:
    """Return the tables to watch: the open ones, those of the last evenings, and the others with new entries."""
    rows = list(zip(heads, listed(request, store, heads), strict=True))
    evenings = list(dict.fromkeys(row.session for _, row in rows if row.session is not None))[:_EVENINGS]
    is_first = [row.status == "open" or row.session in evenings for _, row in rows]
    wanted = [head for (head, _), first in zip(rows, is_first, strict=True) if first]
    others = [head for (head, row), first in zip(rows, is_first, strict=True) if not first and row.status == "closed"]
    return [*wanted, *others[: max(0, _WATCHED_MAX - len(wanted))]]


def _watch_of(request: Request, table: str) -> TableWatch:
    store = seen(request)
    heads = [head for head in store.streams(TABLE.prefix + table) if TABLE.slug(head.stream) == table]
    watch = _watched(request, store, heads[0]) if heads else None
    if watch is None:
        raise no_table(store, table)
    return watch


def _watched(request: Request, store: LogStore, head: StreamHead) -> TableWatch | None:
    """Return what the desk says of a table, computed once for each version and view; None for a damaged one."""
    is_hidden = head.stream in request.visible.hidden
    eyes = view_of(request) if is_hidden else None
    key = ("desk", head.stream, head.version, eyes, request.visible.names, request.lang)
    cache_of = request.service.listed
    watch: TableWatch | None = cache_of.get(key)
    if watch is None and (fold := sound_table(request, head)) is not None:
        with SkippingDamage():
            rows = recorders_shown(store.read_stream(head.stream), store.display_names())
            ended = hidden_deals_in([(row.version, row.event()) for row in rows]) if is_hidden else []
            watch = watched(TableAsRead(TABLE.slug(head.stream), fold), rows, ended, request.lang)
            cache_of.keep(key, watch, 1)
    return watch
