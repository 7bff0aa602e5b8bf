"""Additions to a table or a session and their effects: corrections, disputes, rulings, notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ledger.events import Corrected, DisputeRaised, Noted, PlayerSeated, RulingGiven, TableClosed
from ledger.recording.adding import Added
from ledger.recording.sessions import SessionAddition, SessionState
from ledger.streams import SESSION
from ledger.table.fold import TableFold
from ledger.table.score import seat_titles
from ledger.table.two_readings import Comparison, DealChange
from ledger.text.audit import finding_text, gathered
from ledger.text.cards import amount_text
from ledger.text.catalogue import Wording, label, wording_for
from ledger.text.events import events_text
from ledger.text.layout import Part, padded
from ledger.text.score import score_cells, score_table, unscorable_line

if TYPE_CHECKING:
    from rich.table import Table


_WORD_COLUMNS: Final = 10


def change_table(change: Comparison, players: Sequence[str], has_pool: bool, wording: Wording) -> Table:
    """Return a table of each changed deal and the totals, before and after."""
    shown = score_table("", players, has_pool, wording.lang)
    for deal in change.deals:
        for key, score in (("change.deal_before", deal.before), ("change.deal_after", deal.after)):
            if score is None:
                cells = ["–"] * len(players) + [""] * has_pool + [wording.say("no_such_deal")]
            else:
                cells = score_cells(score, has_pool, wording)
            shown.add_row(wording.say(key, deal=deal.deal), *cells)
    for key, totals in (("change.total_before", change.totals_before), ("change.total_after", change.totals_after)):
        shown.add_row(wording.say(key), *map(amount_text, totals))
    return shown


def change_words(change: Comparison, wording: Wording) -> Iterator[str]:
    """Yield the findings that disappear and appear, and the decisions that depend on what changed."""
    for deal in change.deals:
        for key, findings in (("change.no_longer", deal.gone), ("change.new", deal.new)):
            for finding in gathered(findings, wording.lang):
                yield _named(key, wording.cards(finding_text(finding, wording.lang)), wording)
        for decision in stale_words(deal, wording):
            yield _named("change.stale", decision, wording)


def _named(key: str, text: str, wording: Wording) -> str:
    return padded(wording.say(key), _WORD_COLUMNS) + text


def stale_words(deal: DealChange, wording: Wording) -> Iterator[str]:
    """Yield the decisions that are stale now and were not before."""
    if deal.after is None:
        return
    known = set() if deal.before is None else {ruling.version for ruling in deal.before.rulings if ruling.stale}
    for ruling in deal.after.rulings:
        if ruling.stale and ruling.version not in known:
            kind = wording.word(ruling.kind)
            yield wording.say("change.stale_ruling", version=ruling.version, kind=kind, text=ruling.text)
    was_stale = deal.before is not None and deal.before.claimed is not None and deal.before.claimed.stale
    if deal.after.claimed is not None and deal.after.claimed.stale and not was_stale:
        yield wording.say("change.stale_sheet", deal=deal.deal, version=deal.after.claimed.version)


def receipt_line(where: str, added: Added | SessionAddition, lang: str) -> str:
    """Return the versions and position of the recorded entries."""
    more = added.more if isinstance(added, Added) else ()
    if added.position is None:
        key = "addition.not_recorded_run" if more else "addition.not_recorded"
    elif added.already_recorded:
        key = "addition.recorded_before_run" if more else "addition.recorded_before"
    else:
        key = "addition.recorded_run" if more else "addition.recorded"
    last = added.version + len(more)
    return label(lang, key, version=added.version, last=last, table=where, position=added.position)


def added_text(added: Added, lang: str) -> Iterator[Part]:
    """Yield an addition to a table, its effects, and its place in the ledger."""
    wording = wording_for(added.after.game, lang, added.after.pack)
    receipt = receipt_line(added.table, added, lang)
    match added.event:
        case Corrected():
            yield from _was_and_now(added, wording)
            yield from _changed(added, wording)
        case RulingGiven():
            yield from _changed(added, wording)
            yield from _without_effect(added, wording)
            for version in added.left_open:
                yield label(lang, "addition.left_open", version=version)
        case TableClosed():
            yield from _changed(added, wording)
        case PlayerSeated(seat=seat):
            player, before = added.after.players[seat], added.before.players[seat]
            number = len(added.before.deals) + 1
            yield label(lang, "addition.seated", player=player, before=before, seat=seat, deal=number)
            yield receipt
        case DisputeRaised():
            yield receipt
            if added.position is not None:
                yield label(lang, "addition.how_ruled", version=added.version)
        case _:
            yield receipt


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
    """Yield score and findings before and after, then the receipt."""
    yield change_table(added.change, seat_titles(added.after), "pool" in added.after.match.state(), wording)
    yield from change_words(added.change, wording)
    yield from _not_scored(added, wording)
    yield "\n" + receipt_line(added.table, added, wording.lang)


def _not_scored(added: Added, wording: Wording) -> Iterator[str]:
    """Yield what the changed deals lack that cannot be scored."""
    shown = {deal.deal for deal in added.change.deals}
    for record in added.after.deals:
        line = unscorable_line(added.after, record, wording) if record.number in shown else None
        if line is not None:
            yield line


def _without_effect(added: Added, wording: Wording) -> Iterator[str]:
    """Yield a note if an accepted score sheet changes nothing."""
    assert isinstance(added.event, RulingGiven)
    before, after = (fold.deal(added.event.deal) for fold in (added.before, added.after))
    is_same = (before.status, before.settlement) == (after.status, after.settlement)
    if added.event.kind == "accept" and is_same:
        key = "addition.no_effect" if before.claims else "addition.no_sheet"
        yield wording.say(key, deal=before.number, status=wording.word(before.status))


def session_text(added: SessionAddition, lang: str) -> Iterator[str]:
    """Yield the session, before and after a correction; open tables when it was closed; the receipt."""
    wording = Wording(lang)
    if isinstance(added.event, Corrected) and added.before is not None:
        yield wording.say("addition.head", table=_stream(added), version=added.event.version, reason=added.event.reason)
        if added.before != added.after:
            yield f"  {wording.say('addition.was')}  {_state_text(added.before, wording)}"
            yield f"  {wording.say('addition.now')}  {_state_text(added.after, wording)}"
        yield ""
    elif not isinstance(added.event, Noted):
        yield _state_text(added.after, wording)
    if added.open_tables:
        yield wording.say("of_session.open_tables", tables=wording.listed(added.open_tables))
    yield receipt_line(_stream(added), added, lang)


def _stream(added: SessionAddition) -> str:
    return SESSION.stream(added.session)


def _state_text(state: SessionState, wording: Wording) -> str:
    title = wording.say("of_session.unnamed") if state.title is None else state.title
    parts = [title if state.date is None else wording.say("of_session.state", title=title, date=state.date)]
    if state.club is not None:
        parts.append(wording.say("of_session.club", club=state.club))
    if state.place is not None:
        parts.append(wording.say("of_session.place", place=state.place))
    if state.zone is not None:
        parts.append(wording.say("of_session.zone", zone=state.zone))
    parts.append(wording.say("of_session.is_closed" if state.closed else "of_session.is_open"))
    return wording.clauses(parts)
