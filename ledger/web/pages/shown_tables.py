"""Tables as pages show them, with their titles and evenings; readers with the same view share each fold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from typing import Final

from msgspec import structs

from ledger import api
from ledger.errors import NotFoundError, SkippingDamage
from ledger.events import Event
from ledger.log.base import LogStore, StreamHead
from ledger.recording.sessions import SessionState, session_state
from ledger.recording.typed.opening import LedgerDefaults, first_event, ledger_defaults
from ledger.streams import SESSION, TABLE
from ledger.table.fold import TableFold
from ledger.table.listing import TableListed, table_listed
from ledger.table.repository import TableAsRead, session_entries
from ledger.table.score import points_by_player
from ledger.text.site.catalogue import game_title, table_title
from ledger.text.site.listing import PlayerTotal, TableListing, matches_query
from ledger.web.api.tables import listed
from ledger.web.http.reading import seen, view_of
from ledger.web.http.request import Request

_NEWEST: Final = 20

RECENT_TABLES: Final = 400
"""The number of newest tables that lists of open tables search."""


def open_evenings(store: LogStore) -> dict[str, SessionState]:
    """Return the newest evenings that are neither closed nor damaged, by slug."""
    heads = sorted(store.streams(SESSION.prefix), key=lambda head: -head.last_position)[:_NEWEST]
    slugs = [SESSION.slug(head.stream) for head in heads]
    states: dict[str, SessionState] = {}
    for slug in slugs:
        with SkippingDamage():
            states[slug] = session_state(session_entries(store, slug))
    return {slug: state for slug, state in states.items() if not state.closed}


def defaults_of(request: Request) -> LedgerDefaults:
    """Return the defaults for a new table; the opening of each table is read once."""
    cache = request.service.listed

    def first(store: LogStore, stream: str) -> Event:
        event: Event | None = cache.get(("first", stream))
        if event is None:
            event = first_event(store, stream)
            cache.keep(("first", stream), event, 1)
        return event

    return ledger_defaults(seen(request), first)


def evening_title(store: LogStore, session: str | None) -> str | None:
    """Return the current title of an evening; None if it has none, or nobody opened it."""
    if session is not None:
        with SkippingDamage():
            return session_state(session_entries(store, session)).title
    return None


def titled(request: Request, table: str, session: str | None) -> str:
    """Return the title of a table of that session.

    A cached page must change with the session, as `rests_on="table"` does.
    """
    return table_title(table, session, evening_title(seen(request), session), request.lang)


def title_by_slug(request: Request, table: str) -> str:
    """Return the title of a table by its slug; the table may not exist yet."""
    try:
        listed = table_listed(seen(request), table)
    except NotFoundError:
        return table
    return titled(request, table, listed.session)


def newest_first(request: Request) -> Sequence[StreamHead]:
    """Return the tables that the client may see, the newest first."""
    return list(reversed(seen(request).streams(TABLE.prefix)))


def sound_table(request: Request, head: StreamHead) -> TableFold | None:
    """Return the table as the client may see it, with display names; None for a damaged one."""
    eyes = view_of(request) if head.stream in request.visible.hidden else None
    key = ("shown", head.stream, head.version, eyes, request.visible.names)
    read: TableAsRead | None = request.service.folds.get(key)
    if read is None:
        with SkippingDamage():
            store = seen(request)
            read = next(api.read_tables(store, TABLE.slug(head.stream), names=store.display_names()))
            request.service.folds.keep(key, read, len(read.fold.recorded))
    return None if read is None else read.fold


def lines_of(request: Request, heads: Iterable[StreamHead]) -> Iterator[TableListing]:
    """Yield the list rows of tables, each computed once for each of its versions."""
    cache_of, title = request.service.listed, cache(partial(evening_title, seen(request)))
    for head in heads:
        eyes = view_of(request) if head.stream in request.visible.hidden else None
        key = ("line", head.stream, head.version, eyes, request.visible.names)
        row: TableListing | None = cache_of.get(key)
        if row is None:
            row = _line_of(request, head)
            if not row.is_damaged:
                cache_of.keep(key, row, 1)
        evening = title(row.session)
        yield structs.replace(
            row,
            title=table_title(row.table, row.session, evening, request.lang),
            game="" if row.is_damaged else game_title(row.game, request.lang),
            evening=evening or row.session or "",
        )


def _line_of(request: Request, head: StreamHead) -> TableListing:
    """Return the row without titles, its game as in the record."""
    fold, slug = sound_table(request, head), TABLE.slug(head.stream)
    return TableListing(
        table=slug,
        title="",
        game="" if fold is None else fold.game.name,
        totals=() if fold is None else [PlayerTotal(one.player, one.points) for one in points_by_player(fold)],
        deals=0 if fold is None else len(fold.deals),
        session=None if fold is None else fold.opened.session,
        evening="",
        is_open=fold is not None and not fold.is_closed,
        is_damaged=fold is None,
    )


def open_tables(request: Request) -> dict[str, str]:
    """Return the titles of the open tables by slug, the newest first."""
    store = seen(request)
    evening = cache(partial(evening_title, store))
    rows = listed(request, store, newest_first(request)[:RECENT_TABLES])
    return {
        row.table: table_title(row.table, row.session, evening(row.session), request.lang)
        for row in rows
        if row.status == "open"
    }


def matching_tables(request: Request, query: str, game: str, session: str | None = None) -> list[StreamHead]:
    """Return the tables with all words of a query in the title or name of a table or in the name of an evening or a
    player, the newest first.
    """
    heads = newest_first(request)
    if not query.strip() and not game and session is None:
        return list(heads)
    store = seen(request)
    rows = zip(heads, listed(request, store, heads), strict=True)
    of_these = [(head, row) for head, row in rows if game in ("", row.game) and session in (None, row.session)]
    if not query.strip():
        return [head for head, _ in of_these]
    names, evening = store.display_names(), cache(partial(evening_title, store))

    def texts(row: TableListed) -> list[str]:
        players = (names.get(player, player) for player in row.players)
        title = table_title(row.table, row.session, evening(row.session), request.lang)
        return [title, row.table, row.session or "", *players]

    return [head for head, row in of_these if matches_query(query, texts(row))]
