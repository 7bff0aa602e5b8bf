"""What a card shows of those before it: a duty that was broken earlier, proven by what is laid only now."""

from __future__ import annotations

from ledger.events import Event
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation


def newly_proven(deal: Deal, twin: Deal, event: Event) -> list[Violation]:
    """The late violations that the event adds; `twin`, the same deal, is moved on by it."""
    known = deal.late_violations()
    twin.apply(event, 0)
    return [found for found in twin.late_violations() if found not in known and found.severity != "info"]
