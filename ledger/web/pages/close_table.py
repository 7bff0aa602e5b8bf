"""The pages to close a table or an evening; they show first what is still open."""

from __future__ import annotations

from typing import Any, Final

from ledger.errors import LedgerError
from ledger.events import SessionClosed, TableClosed
from ledger.log.base import NewEntry
from ledger.recording.sessions import session_state
from ledger.recording.typed.situation import stage_of
from ledger.service.commands import Entries
from ledger.streams import SESSION
from ledger.table.disputes import disputes_of
from ledger.table.repository import no_session, session_entries
from ledger.text.catalogue import title_of, wording_for
from ledger.text.score import cost_text
from ledger.text.site.catalogue import say, table_title
from ledger.text.site.recorder.deal_state import final_of
from ledger.web.api.entries import check_closing, may_open
from ledger.web.api.tables import listed
from ledger.web.http.problems import WebError
from ledger.web.http.reading import read_now, seen
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.forms import live_table, may_close_evenings, record, refusal_text, sending
from ledger.web.pages.frame import elsewhere, html
from ledger.web.pages.shown_tables import matching_tables, titled

_CONFIRM: Final = "confirm"
"""The field that confirms closing an evening with open tables."""


@page("/record/{table}/close", "recorder", rests_on="table", problems=("not_found",))
def close(request: Request, table: str) -> Response:
    """Show what is open at the table, and the button that closes it."""
    return _table(request, table)


@form("/record/{table}/close", "recorder", body=dict[str, str], problems=("not_found", "malformed"))
async def close_submitted(request: Request, table: str) -> Response:
    """Close the table and show its final score; after the last open table of an evening, the evening."""
    live = await request.service.run_in_thread(lambda: live_table(request, table))
    try:
        await record(request, (live.stream, [TableClosed()]), as_played=True)
    except LedgerError as error:
        refusal = refusal_text(error, request.lang)
        return await request.service.run_in_thread(lambda: _table(request, table, refusal=refusal))
    session = live.fold.opened.session
    if session is not None and await request.service.run_in_thread(lambda: _is_over(request, session)):
        return elsewhere(f"/sessions/{session}")
    return elsewhere(f"/record/{live.slug}/close")


def _is_over(request: Request, session: str) -> bool:
    """Return whether the client may see that evening, and none of its tables is open any more."""
    request = request.replace(visible=request.service.visible)
    return (
        request.grant.tables is None
        and bool(session_entries(seen(request), session))
        and _next_table(request, session) is None
    )


def _table(request: Request, table: str, *, refusal: str | None = None) -> Response:
    live = live_table(request, table)
    session = live.fold.opened.session
    fold, stage = live.fold, stage_of(live.fold)
    is_open = stage in ("cards", "acts")
    next_table = _next_table(request, session) if stage == "closed" and session else None
    return html(
        request,
        "close_table.html",
        status=200 if refusal is None else 422,
        **_shown(titled(request, live.slug, fold.opened.session), f"/record/{live.slug}", refusal),
        sending=sending(live.version),
        title=title_of(fold.game, request.lang),
        table=live.slug,
        deal=fold.deals[-1].number if is_open else None,
        cost=cost_text(live.seen_by_all, [TableClosed()], wording_for(fold.game, request.lang)) if is_open else "",
        disputes=sum(one.state == "open" for one in disputes_of(live.settled)),
        tables=(),
        is_closed=stage == "closed",
        final=final_of(read_now(request, table), request.lang) if stage == "closed" else None,
        session=session,
        next_table=None if next_table is None else (next_table, titled(request, next_table, session)),
        may_open=may_open(request.grant) and request.grant.tables is None,
        may_close=may_close_evenings(request.grant),
    )


def _next_table(request: Request, session: str) -> str | None:
    """Return the table of the evening that was opened first and is still open."""
    return next(iter(_open_tables(request, session)), None)


@page("/record/sessions/{session}/close", "director", problems=("not_found",))
def close_session(request: Request, session: str) -> Response:
    """Show the open tables of the evening, and the button that closes it."""
    return _session(request, session)


@form("/record/sessions/{session}/close", "director", body=dict[str, str], problems=("not_found", "malformed"))
async def close_session_submitted(request: Request, session: str) -> Response:
    """Close the evening and show its result."""
    closed = Entries(stream=SESSION.stream(session), entries=(NewEntry(SessionClosed()),))
    try:
        await check_closing(request, (closed,), confirm=_CONFIRM in request.data)
        await record(request, (SESSION.stream(session), [SessionClosed()]))
    except WebError as error:
        if error.code != "confirm_required":
            raise
        refusal = say(request.lang, "start.confirm_first")
    except LedgerError as error:
        refusal = refusal_text(error, request.lang)
    else:
        return elsewhere(f"/sessions/{session}")
    return await request.service.run_in_thread(lambda: _session(request, session, refusal=refusal))


def _session(request: Request, session: str, *, refusal: str | None = None) -> Response:
    store = seen(request)
    entries = session_entries(store, session)
    if not entries:
        raise no_session(store, session)
    state = session_state(entries)
    if state.closed:
        return elsewhere(f"/sessions/{session}")
    return html(
        request,
        "close_table.html",
        status=200 if refusal is None else 422,
        **_shown(state.title or session, "/record", refusal),
        sending=sending(),
        title=say(request.lang, "start.session"),
        deal=None,
        disputes=0,
        tables=[(one, table_title(one, session, state.title, request.lang)) for one in _open_tables(request, session)],
        is_closed=False,
    )


def _open_tables(request: Request, session: str) -> list[str]:
    """Return the open tables of an evening in the order of their opening."""
    heads = matching_tables(request, "", "", session)[::-1]
    return [row.table for row in listed(request, seen(request), heads) if row.status == "open"]


def _shown(name: str, leave: str, refusal: str | None) -> dict[str, Any]:
    return {"name": name, "leave": leave, "refusal": refusal}
