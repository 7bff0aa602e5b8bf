"""What a card shows of those before it: a duty that was broken earlier, proven by what is laid only now."""

from __future__ import annotations

from ledger.events import Event
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation


def newly_proven(deal: Deal, twin: Deal, event: Event) -> list[Violation]:
    """Return the acts that the event shows to have been violations; `twin`, the same deal, is moved on by it.

    Further evidence against the same act, for example another card that would have followed, shows nothing new.
    """
    known = {(violation.version, violation.seat) for violation in deal.late_violations()}
    twin.apply(event, 0)
    late = (violation for violation in twin.late_violations() if violation.severity != "info")
    return [violation for violation in late if (violation.version, violation.seat) not in known]
