"""The evenings of the club: those that go on, and what an evening and its tables are called."""

from __future__ import annotations

from typing import Final

from ledger.errors import NotFoundError, SkippingDamage
from ledger.log.base import LogStore
from ledger.recording.sessions import SessionState, session_state
from ledger.table.listing import table_listed
from ledger.table.repository import SESSION_PREFIX, session_entries
from ledger.text.site.titles import table_title
from ledger.web.http.reading import seen
from ledger.web.http.request import Asked

_NEWEST: Final = 20


def open_evenings(store: LogStore) -> dict[str, SessionState]:
    """Return the newest evenings that are neither closed nor damaged, by slug."""
    heads = sorted(store.streams(SESSION_PREFIX), key=lambda head: -head.last_position)[:_NEWEST]
    slugs = [head.stream.removeprefix(SESSION_PREFIX) for head in heads]
    states: dict[str, SessionState] = {}
    for slug in slugs:
        with SkippingDamage():
            states[slug] = session_state(session_entries(store, slug))
    return {slug: state for slug, state in states.items() if not state.closed}


def evening_title(store: LogStore, session: str | None) -> str | None:
    """Return the title of an evening as it is read now; None where it has none, or nobody opened it."""
    if session is not None:
        with SkippingDamage():
            return session_state(session_entries(store, session)).title
    return None


def titled(asked: Asked, table: str, session: str | None) -> str:
    """Return the title of a table of that session.

    A page that keeps it must change with the session, as `rests_on="table"` does.
    """
    return table_title(table, session, evening_title(seen(asked), session), asked.lang)


def title_by_slug(asked: Asked, table: str) -> str:
    """Return the title of a table of which only the slug is known, and which may not be there yet."""
    try:
        listed = table_listed(seen(asked), table)
    except NotFoundError:
        return table
    return titled(asked, table, listed.session)
