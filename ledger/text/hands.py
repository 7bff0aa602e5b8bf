"""Deals that have ended and whose hands are not shown yet, and those that were shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger.recording.hands import HandsWaiting
from ledger.text.words import label

_LISTED: Final = 5


def waiting_text(waiting: Sequence[HandsWaiting], lang: str) -> str:
    """One line that says at which tables, or at some of them, and how they are shown."""
    told = [label(lang, "hands.one", table=one.table, deals=_deals(one, lang)) for one in waiting[:_LISTED]]
    more = [label(lang, "hands.more", count=len(waiting) - _LISTED)] if len(waiting) > _LISTED else []
    return label(lang, "hands.waiting", tables=label(lang, "list").join([*told, *more]))


def opened_text(opened: Sequence[HandsWaiting], lang: str, *, is_tried: bool) -> Iterator[str]:
    """A line a table. `is_tried`: nothing was recorded."""
    if not opened:
        yield label(lang, "hands.none")
    for one in opened:
        key = "hands.would_open" if is_tried else "hands.opened"
        yield label(lang, key, table=one.table, deals=_deals(one, lang))


def _deals(one: HandsWaiting, lang: str) -> str:
    return label(lang, "list").join(map(str, one.deals))
