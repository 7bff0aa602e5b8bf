"""What somebody added to a table, told to its author: a correction, a dispute or a ruling, and what it changes."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.events import Corrected, RulingGiven
from ledger.recording.adding import Added, Addition
from ledger.recording.correcting import Place
from ledger.table.disputes import disputes_of
from ledger.text.change import change_table, change_words, receipt_words
from ledger.text.events import whole_event_text
from ledger.text.layout import Part


def correction_text(added: Added, place: Place, answer: Addition) -> Iterator[Part]:
    """The place before and after, then what that changes."""
    yield from _was_and_now(added, place)
    yield from _changed(added, answer)


def dispute_text(answer: Addition) -> Iterator[str]:
    """Where the dispute stands, and how a ruling names it."""
    yield receipt_words(answer)
    if answer.position is not None:
        yield f"A ruling names it with --dispute {answer.version}."


def ruling_text(added: Added, answer: Addition) -> Iterator[Part]:
    """What the ruling changes, and what it leaves as it was."""
    yield from _changed(added, answer)
    yield from _without_effect(added)
    yield from _left_open(added)


def _was_and_now(added: Added, place: Place) -> Iterator[str]:
    corrected = added.event
    assert isinstance(corrected, Corrected)
    yield f"{added.table} · entry {place.version} · {corrected.reason}"
    for word, fold in (("was", added.before), ("now", added.after)):
        read = [event for version, event in fold.entries if version == place.version]
        deals = [record for record in fold.deals if record.version <= place.version]
        players = deals[-1].players if deals else fold.players
        yield f"  {word}  " + ("; ".join(whole_event_text(event, players) for event in read) or "nothing")
    yield ""


def _changed(added: Added, answer: Addition) -> Iterator[Part]:
    """Score and findings before and after, then where the addition stands."""
    yield change_table(answer.change, added.after.players, "pool" in added.after.match.state())
    yield from change_words(answer.change)
    yield "\n" + receipt_words(answer)


def _without_effect(added: Added) -> Iterator[str]:
    """That a score sheet was accepted for a deal that had its score already."""
    assert isinstance(added.event, RulingGiven)
    before, after = (fold.deal(added.event.deal) for fold in (added.before, added.after))
    is_same = (before.status, before.settlement) == (after.status, after.settlement)
    if added.event.kind == "accept" and is_same:
        yield f"Deal {before.number} was {before.status} already: accepting its score sheet changed nothing."


def _left_open(added: Added) -> Iterator[str]:
    """The disputes about this deal that the ruling did not name."""
    assert isinstance(added.event, RulingGiven)
    if added.event.dispute is None:
        for one in disputes_of(added.after):
            if one.deal == added.event.deal and one.state == "open":
                yield f"The dispute of entry {one.version} stays open: --dispute {one.version} was not said."
