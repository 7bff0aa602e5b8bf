"""What stands in the ledger since the last time, whoever recorded it, and how far everybody may see with it."""

from __future__ import annotations

from typing import Final

from msgspec import structs

from ledger.log.base import Head, LogStore
from ledger.recording.live import LiveTable
from ledger.service.commands import Published
from ledger.service.horizon import HiddenFrom, Horizon
from ledger.service.states import ServedStates
from ledger.table.hiding import deals_shown
from ledger.table.lookup import TABLE_PREFIX, slug_of

_LAST: Final = (1 << 63) - 1
"""Beyond every position: to be asked for, it costs one query less than the head."""


def news_of(states: ServedStates, horizon: Horizon) -> Published | None:
    """What has been recorded, and which names were changed, since everybody saw up to this horizon; None: nothing."""
    store = states.store
    rows = list(store.read(horizon.head.position, _LAST))
    names = store.names_version()
    persons = horizon.persons if names == horizon.names else store.people().persons()
    if not rows:
        renamed = structs.replace(horizon, names=names, persons=persons)
        return None if names == horizon.names else Published(rows=(), horizon=renamed)
    hidden = dict(horizon.hidden)
    opened: list[tuple[str, int]] = []
    last = {row.stream: row.version for row in rows if row.stream.startswith(TABLE_PREFIX)}
    for stream, version in last.items():
        slug = slug_of(stream)
        try:
            table = states.table(slug, is_level=True)
            if table.version < version:
                table.catch_up()
            before = hidden.get(stream)
            now = _hidden_from(store, table, before)
        except Exception:  # a record that is none, or a game that fails, is told to who reads it
            states.drop([stream])
            first = next(row for row in rows if row.stream == stream)
            hidden.setdefault(stream, HiddenFrom.unread(first))
            continue
        hidden.pop(stream, None)
        if now is not None:
            hidden[stream] = now
        if before is not None and (now is None or now.version > before.version):
            to = table.fold.deals[-1].number if table.fold.deals else 0
            opened += [(slug, deal) for deal in deals_shown(before.deal, None if now is None else now.deal, to)]
    head = Head(rows[-1].position, rows[-1].digest)
    return Published(rows=rows, horizon=Horizon(head, hidden, names, persons), opened=opened)


def _hidden_from(store: LogStore, table: LiveTable, before: HiddenFrom | None) -> HiddenFrom | None:
    """What of a table is hidden; `before`: what was, by the last look at it."""
    hidden = table.hidden
    if hidden is None or (before is not None and before.hidden == hidden):
        return None if hidden is None else before
    return HiddenFrom.of(hidden, store.read_stream(table.stream, hidden.version - 1)[0].position)
