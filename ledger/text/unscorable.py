"""Why a deal cannot be scored and what can settle it, in a sentence for the director."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.i18n import sentence
from ledger.table.fold import DealRecord, TableFold
from ledger.table.unscorable import Unscorable, why_unscorable
from ledger.text.words import Wording


def unscorable_text(fold: TableFold, record: DealRecord, wording: Wording) -> str | None:
    """What is missing and which kinds of ruling can settle it; None for a deal that is scored, or may be yet."""
    why = why_unscorable(fold, record)
    if why is None:
        return None
    if not why.kinds:
        return wording.say("unscorable.after_match")
    kinds = wording.listed(wording.known("unscorable", kind) for kind in why.kinds)
    return wording.say("unscorable.line", missing=wording.clauses(_missing(why, fold, record, wording)), kinds=kinds)


def _missing(why: Unscorable, fold: TableFold, record: DealRecord, wording: Wording) -> Iterator[str]:
    for found in why.fatal:
        yield wording.say("unscorable.fatal", code=found.code, version=found.version)
    if why.is_unfinished:
        yield wording.say("unscorable.unfinished")
    for fact in why.untold:
        yield sentence(fold.game.package, fact, record.players, wording.lang)
    if not (why.fatal or why.is_unfinished or why.untold):
        yield wording.say("unscorable.facts")
