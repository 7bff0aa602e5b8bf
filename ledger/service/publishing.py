"""What stands in the ledger since the last time, whoever recorded it, and how far everybody may see with it."""

from __future__ import annotations

from typing import Final

from msgspec import structs

from ledger.log.base import Head, LogStore
from ledger.recording.live import LiveTable
from ledger.service.commands import Published
from ledger.service.states import ServedStates
from ledger.service.visibility import HiddenFrom, VisibleHead, hidden_from, redaction_of
from ledger.streams import TABLE
from ledger.table.hiding import deals_shown

_LAST: Final = (1 << 63) - 1
"""Beyond every position: to be asked for, it costs one query less than the head."""


def news_of(states: ServedStates, visible: VisibleHead) -> Published | None:
    """What has been recorded, and which names were changed, since everybody saw `visible`; None: nothing."""
    store = states.store
    rows = list(store.read(visible.head.position, _LAST))
    names = store.names_version()
    persons = visible.persons if names == visible.names else store.people().persons()
    if not rows:
        renamed = structs.replace(visible, names=names, persons=persons)
        return None if names == visible.names else Published(rows=(), visible=renamed)
    hidden = dict(visible.hidden)
    opened: list[tuple[str, int]] = []
    last = {row.stream: row.version for row in rows if redaction_of(row.stream) is not None}
    for stream, version in last.items():
        before = hidden.pop(stream, None)
        try:
            now, shown = (
                _of_table(states, stream, version, before)
                if TABLE.has(stream)
                else (hidden_from(store.read_stream(stream)), range(0))
            )
        except Exception:  # a record that is none, or a game that fails, is told to who reads it
            states.drop([stream])
            first = next(row for row in rows if row.stream == stream)
            hidden[stream] = before or HiddenFrom.unread(first)
            continue
        if now is not None:
            hidden[stream] = now
        opened += [(TABLE.slug(stream), deal) for deal in shown]
    head = Head(rows[-1].position, rows[-1].digest)
    return Published(rows=rows, visible=VisibleHead(head, hidden, names, persons), opened=opened)


def _of_table(
    states: ServedStates, stream: str, version: int, before: HiddenFrom | None
) -> tuple[HiddenFrom | None, range]:
    """Return what of a table is hidden now, and the deals that are shown with it."""
    slug = TABLE.slug(stream)
    table = states.table(slug, is_level=True)
    if table.version < version:
        table.catch_up()
    now = _hidden_from(states.store, table, before)
    if before is None or (now is not None and now.version <= before.version):
        return now, range(0)
    last = table.fold.deals[-1].number if table.fold.deals else 0
    return now, deals_shown(before.deal, None if now is None else now.deal, last)


def _hidden_from(store: LogStore, table: LiveTable, before: HiddenFrom | None) -> HiddenFrom | None:
    """What of a table is hidden; `before`: what was, by the last look at it."""
    hidden = table.hidden
    if hidden is None or (before is not None and before.hidden == hidden):
        return None if hidden is None else before
    return HiddenFrom.of(hidden, store.read_stream(table.stream, hidden.version - 1)[0].position)
