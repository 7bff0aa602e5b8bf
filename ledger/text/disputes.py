"""The disputes of a table, and what became of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.table.disputes import Dispute
from ledger.text.events import continued
from ledger.text.score import stale_text


def disputes_text(table: str, disputes: Sequence[Dispute]) -> Iterator[str]:
    """Two lines a dispute: where it stands, and what it says."""
    if not disputes:
        yield f"{table} has no dispute."
    for one in disputes:
        about = "" if one.about is None else f", about entry {one.about}"
        by = "" if one.player is None else f" by {one.player}"
        rulings = f", entry {', '.join(map(str, one.rulings))}" if one.rulings else ""
        stale = stale_text(one.stale)
        yield f"entry {one.version}  deal {one.deal}{about}{by}: {one.state}{rulings}{stale}"
        yield continued(f"  {one.text}")
