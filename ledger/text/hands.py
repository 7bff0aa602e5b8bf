"""Text about ended deals whose hands are still hidden, and about those that were opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger.recording.hands import HiddenDeals
from ledger.text.words import label

_LISTED: Final = 5


def hidden_deals_text(hidden: Sequence[HiddenDeals], lang: str) -> str:
    """Return one line: at which tables (five at most), and the command that opens the hands."""
    listed = [label(lang, "hands.one", table=one.table, deals=_deals(one, lang)) for one in hidden[:_LISTED]]
    more = [label(lang, "hands.more", count=len(hidden) - _LISTED)] if len(hidden) > _LISTED else []
    return label(lang, "hands.still_hidden", tables=label(lang, "list").join([*listed, *more]))


def opened_text(opened: Sequence[HiddenDeals], lang: str, *, is_tried: bool) -> Iterator[str]:
    """Yield one line for each table. `is_tried`: a dry run."""
    if not opened:
        yield label(lang, "hands.none")
    for one in opened:
        key = "hands.would_open" if is_tried else "hands.opened"
        yield label(lang, key, table=one.table, deals=_deals(one, lang))


def _deals(one: HiddenDeals, lang: str) -> str:
    return label(lang, "list").join(map(str, one.deals))
