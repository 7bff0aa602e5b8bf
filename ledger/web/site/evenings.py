"""The evenings that go on: where a new table may belong, and what a director closes at the end."""

from __future__ import annotations

from typing import Final

from ledger.errors import SkippingDamage
from ledger.log.base import LogStore
from ledger.recording.sessions import SessionState, session_state
from ledger.table.lookup import SESSION_PREFIX, session_entries

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
