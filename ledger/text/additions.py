"""What somebody added to a table, told to its author: a correction, a dispute or a ruling, and what it changes."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.events import Corrected, PlayerSeated, RulingGiven
from ledger.recording.adding import Added
from ledger.table.fold import TableFold
from ledger.table.score import seat_titles
from ledger.text.change import change_table, change_words, receipt_words
from ledger.text.events import events_text
from ledger.text.layout import Part
from ledger.text.unscorable import unscorable_line
from ledger.text.words import Wording, label, wording_for


def correction_text(added: Added, lang: str) -> Iterator[Part]:
    """The entry before and after, then what that changes."""
    wording = wording_for(added.after.game, lang, added.after.pack)
    yield from _was_and_now(added, wording)
    yield from _changed(added, wording)


def dispute_text(added: Added, lang: str) -> Iterator[Part]:
    """Where the dispute stands, and how a ruling names it."""
    yield receipt_words(added, lang)
    if added.position is not None:
        yield label(lang, "addition.how_ruled", version=added.version)


def closing_text(added: Added, lang: str) -> Iterator[Part]:
    """What the end of the table changes."""
    yield from _changed(added, wording_for(added.after.game, lang, added.after.pack))


def seating_text(added: Added, lang: str) -> Iterator[Part]:
    """Who sits down for whom, from which deal on, and where that stands."""
    assert isinstance(added.event, PlayerSeated)
    seat, number = added.event.seat, len(added.before.deals) + 1
    player, before = added.after.players[seat], added.before.players[seat]
    yield label(lang, "addition.seated", player=player, before=before, seat=seat, deal=number)
    yield receipt_words(added, lang)


def note_text(added: Added, lang: str) -> Iterator[Part]:
    """Where the note stands: it changes nothing."""
    yield receipt_words(added, lang)


def ruling_text(added: Added, lang: str) -> Iterator[Part]:
    """What the ruling changes, and what it leaves as it was."""
    wording = wording_for(added.after.game, lang, added.after.pack)
    yield from _changed(added, wording)
    yield from _without_effect(added, wording)
    yield from _left_open(added, lang)


def _was_and_now(added: Added, wording: Wording) -> Iterator[str]:
    assert isinstance(added.event, Corrected)
    corrected = added.event.version
    yield wording.say("addition.head", table=added.table, version=corrected, reason=added.event.reason)
    for key, fold in (("addition.was", added.before), ("addition.now", added.after)):
        yield f"  {wording.say(key)}  " + _read_at(fold, corrected, wording)
    if added.more:
        yield wording.say("addition.with_it")
    for event in added.more:
        assert isinstance(event, Corrected)
        was, now = (_read_at(fold, event.version, wording) for fold in (added.before, added.after))
        yield "  " + wording.say("addition.from_to", version=event.version, was=was, now=now)
    yield ""


def _read_at(fold: TableFold, version: int, wording: Wording) -> str:
    read = [event for at, event in fold.entries if at == version]
    deals = [record for record in fold.deals if record.version <= version]
    return events_text(read, deals[-1].players if deals else fold.players, wording) or wording.say("nothing")


def _changed(added: Added, wording: Wording) -> Iterator[Part]:
    """Score and findings before and after, then where the addition stands."""
    yield change_table(added.change, seat_titles(added.after), "pool" in added.after.match.state(), wording)
    yield from change_words(added.change, wording)
    yield from _not_scored(added, wording)
    yield "\n" + receipt_words(added, wording.lang)


def _not_scored(added: Added, wording: Wording) -> Iterator[str]:
    """What the deals that are shown lack, as far as they cannot be scored."""
    shown = {deal.deal for deal in added.change.deals}
    for record in added.after.deals:
        line = unscorable_line(added.after, record, wording) if record.number in shown else None
        if line is not None:
            yield line


def _without_effect(added: Added, wording: Wording) -> Iterator[str]:
    """That a score sheet was accepted for a deal that had its score already."""
    assert isinstance(added.event, RulingGiven)
    before, after = (fold.deal(added.event.deal) for fold in (added.before, added.after))
    is_same = (before.status, before.settlement) == (after.status, after.settlement)
    if added.event.kind == "accept" and is_same:
        key = "addition.no_effect" if before.claims else "addition.no_sheet"
        yield wording.say(key, deal=before.number, status=wording.word(before.status))


def _left_open(added: Added, lang: str) -> Iterator[str]:
    """The disputes about this deal that no ruling named yet, this one neither."""
    for version in added.left_open():
        yield label(lang, "addition.left_open", version=version)
