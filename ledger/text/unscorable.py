"""Why a deal cannot be scored and what can settle it, in a sentence for the director."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.events import Event
from ledger.table.fold import DealRecord, TableFold
from ledger.table.score import Unscorable, unscorable_after, why_unscorable
from ledger.text.words import Wording


def unscorable_text(fold: TableFold, record: DealRecord, wording: Wording) -> str | None:
    """What is missing and which kinds of ruling can settle it; None for a deal that is scored, or may be yet."""
    why = why_unscorable(fold, record, wording.lang)
    return None if why is None else missing_text(why, wording)


def unscorable_line(fold: TableFold, record: DealRecord, wording: Wording) -> str | None:
    """The same with the deal before it."""
    missing = unscorable_text(fold, record, wording)
    if missing is None:
        return None
    return wording.say("unscorable.deal", status=wording.word(record.status), deal=record.number, missing=missing)


def cost_text(fold: TableFold, events: Sequence[Event], wording: Wording) -> str:
    """Return that the last deal will have no score once these events are recorded; empty where it will, or may."""
    why = unscorable_after(fold, events, wording.lang)
    return "" if why is None else wording.say("unscorable.cost", missing=wording.clauses(_missing(why, wording)))


def missing_text(why: Unscorable, wording: Wording) -> str:
    """What is missing and which kinds of ruling can settle it."""
    if not why.kinds:
        return wording.say("unscorable.after_match")
    kinds = wording.listed(wording.known("unscorable", kind) for kind in why.kinds)
    return wording.say("unscorable.line", missing=wording.clauses(_missing(why, wording)), kinds=kinds)


def _missing(why: Unscorable, wording: Wording) -> Iterator[str]:
    for found in why.fatal:
        yield wording.say("unscorable.fatal", code=found.code, version=found.version)
    if why.is_unfinished:
        yield wording.say("unscorable.unfinished")
    yield from why.untold
    if not (why.fatal or why.is_unfinished or why.untold):
        yield wording.say("unscorable.facts")
