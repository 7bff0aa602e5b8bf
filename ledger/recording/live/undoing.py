"""Which act an undo means, and which a redo: both are corrections, and so the record itself tells it."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.errors import NotFoundError
from ledger.events import Corrected
from ledger.recording.correcting import Named, Place
from ledger.recording.words import phrase
from ledger.table.corrections import Entry, corrections_in_force
from ledger.table.fold import TableFold


def last_act(fold: TableFold) -> Place:
    """The last act that is read; raises `NotFoundError` where nothing but the opening is left."""
    if len(fold.entries) == 1:
        raise NotFoundError("not_found", phrase("live.nothing_to_undo"))
    return Named().place(fold)


def last_undone(entries: Sequence[Entry]) -> int:
    """The version of the act that was undone last; raises `NotFoundError` where none is, or something came after it."""
    in_force = corrections_in_force(entries)
    for version, event in reversed(entries):
        if not isinstance(event, Corrected):
            break
        if event.action == "strike" and in_force[event.version].version == version:
            return event.version
    raise NotFoundError("not_found", phrase("live.nothing_to_redo"))
