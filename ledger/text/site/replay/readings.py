"""Show both readings of a deal side by side: the entries that differ, a few around them, and the consequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from msgspec import Struct, structs

from ledger.table.answers import DealScore
from ledger.table.fold import TableFold
from ledger.table.repository import TableAsRead
from ledger.table.score import seat_titles
from ledger.table.two_readings import EntryRead, EventRead, TwoReadings, two_readings
from ledger.text.cards import signed_amount
from ledger.text.catalogue import Wording, label, written_wording_for
from ledger.text.events import event_text, whole_event_text
from ledger.text.site.cards import Preferences
from ledger.text.site.catalogue import say
from ledger.text.site.replay.findings import DecisionView
from ledger.text.site.replay.navigation import Rights, ViewOptions, view_options_of
from ledger.text.site.replay.table_page import result_summary
from ledger.text.site.replay.viewpoint import Link, Viewpoint
from ledger.text.site.rulebook import CitedRule, rule_of

_AROUND: Final = 2
"""The number of entries shown before and after one that differs."""


class ReadingCell(Struct, frozen=True, kw_only=True):
    """A place in one reading: nothing, or an event with the rules that it breaks."""

    text: str
    broke: Sequence[CitedRule] = ()
    at: str = ""


class ComparedRow(Struct, frozen=True, kw_only=True):
    """A line of the comparison.

    `entry`: empty on the further lines of an entry. `by`: the correction and its reason.
    """

    entry: str
    was: ReadingCell
    now: ReadingCell
    differs: bool
    by: str = ""


class FoldedRows(Struct, frozen=True):
    """Entries that are equal in both readings and not shown."""

    text: str


class AmountsRow(Struct, frozen=True, kw_only=True):
    """Amounts by player in one reading."""

    name: str
    result: str
    amounts: Sequence[str]


class ReadingsPage(Struct, frozen=True, kw_only=True):
    """The page of both readings.

    `players`: the players of the deal. `seats`: the players of each seat, for the totals. `whole`: the address of the
    page with all entries, empty if all are shown. `note`: what is left out. `action`: the address of the form that
    chooses a view.
    """

    title: str
    at: Viewpoint
    action: str
    choices: ViewOptions
    note: str
    rows: Sequence[ComparedRow | FoldedRows]
    differs: bool
    whole: str
    no_longer: Sequence[Link]
    newly: Sequence[Link]
    players: Sequence[str]
    seats: Sequence[str]
    scores: Sequence[AmountsRow]
    totals: Sequence[AmountsRow]
    stale: Sequence[DecisionView]


def readings_page_of(
    read: TableAsRead, at: Viewpoint, reader: Preferences, rights: Rights, *, is_whole: bool
) -> ReadingsPage:
    """Return the page of both readings of a deal. Raise `NotFoundError` if neither reading has the deal.

    A seat sees no cards that it did not see, and only its own violations. `is_whole`: show every entry.
    """
    fold, lang = read.fold, reader.lang
    wording = written_wording_for(fold.game, lang)
    readings = two_readings(read.slug, fold, at.deal, lang)
    players = players_of(fold, at.deal)
    entries = [list(_rows(entry, players, fold, at, wording)) for entry in readings.entries]
    shown = [row for rows in entries for row in rows] if is_whole else list(_folded(entries, lang))
    return ReadingsPage(
        title=_title(at, players, lang),
        at=at,
        action=at.path(""),
        choices=view_options_of(players, at, rights, lang, has_both=True),
        note="" if at.seat is None else say(lang, "replay.both_seen_note", name=players[at.seat]),
        rows=shown,
        differs=any(row.differs for rows in entries for row in rows),
        whole=f"{at.readings_address}{'&' if '?' in at.readings_address else '?'}all=true"
        if any(isinstance(row, FoldedRows) for row in shown)
        else "",
        no_longer=list(_violations_of_one_reading(readings, fold, at.seat, lang, in_corrected=False)),
        newly=list(_violations_of_one_reading(readings, fold, at.seat, lang, in_corrected=True)),
        players=players,
        seats=seat_titles(fold),
        scores=[
            _score(label(lang, f"readings.{name}"), score, len(players), wording)
            for name, score in (("recorded", readings.score_recorded), ("corrected", readings.score_corrected))
        ],
        totals=[
            AmountsRow(name=label(lang, f"readings.{name}"), result="", amounts=[*map(signed_amount, totals)])
            for name, totals in (("recorded", readings.totals_recorded), ("corrected", readings.totals_corrected))
        ],
        stale=list(_stale(readings.score_corrected, at, lang, may_rule=rights.cases is None)),
    )


def players_of(fold: TableFold, deal: int) -> Sequence[str]:
    """Return the players of a deal, even if a correction has removed the deal."""
    return next((record.players for record in fold.deals if record.number == deal), fold.players)


def _title(at: Viewpoint, players: Sequence[str], lang: str) -> str:
    title = say(lang, "replay.both_title", deal=say(lang, "replay.deal_of", table=at.display_title, deal=at.deal))
    return title if at.seat is None else say(lang, "replay.as_seen_by", deal=title, name=players[at.seat])


def _rows(
    entry: EntryRead, players: Sequence[str], fold: TableFold, at: Viewpoint, wording: Wording
) -> Iterator[ComparedRow]:
    """Yield a line for each event of the entry in either reading; the last line has the reason of the correction."""
    pairs = list(zip_longest(entry.recorded, entry.corrected))
    for place, (was, now) in enumerate(pairs):
        left, right = (_side(one, players, entry, fold, at, wording) for one in (was, now))
        is_last = place == len(pairs) - 1 and entry.recorded != entry.corrected
        by = label(wording.lang, "by_correction", version=entry.correction, reason=entry.reason)
        yield ComparedRow(
            entry="" if place else str(entry.version),
            was=structs.replace(left, at=""),
            now=right,
            differs=(left.text, left.broke) != (right.text, right.broke)
            or (at.seat is None and (was and was.event) != (now and now.event)),
            by=by if is_last and entry.correction is not None else "",
        )


def _side(
    read: EventRead | None, players: Sequence[str], entry: EntryRead, fold: TableFold, at: Viewpoint, wording: Wording
) -> ReadingCell:
    if read is None:
        return ReadingCell(text=wording.say("nothing"))
    event_in_words = event_text if entry.correction is None else whole_event_text
    return ReadingCell(
        text=event_in_words(read.event, players, wording, at.seat),
        broke=[rule_of(fold.game, code, wording.lang) for code in _broke(read, at.seat)],
        at="" if read.step is None else at.step_address(read.step),
    )


def _broke(read: EventRead, seat: int | None) -> Sequence[str]:
    """Return the rules that an event breaks; those of other seats can be derived only from hidden cards."""
    return read.broke if seat in (None, getattr(read.event, "seat", None)) else ()


def _folded(entries: Sequence[Sequence[ComparedRow]], lang: str) -> Iterator[ComparedRow | FoldedRows]:
    """Yield the lines of entries that differ and of those around them; the others only by their numbers."""
    differing = [place for place, rows in enumerate(entries) if any(row.differs for row in rows)]
    hidden: list[str] = []
    for place, rows in enumerate(entries):
        if any(abs(place - other) <= _AROUND for other in differing):
            yield from _folded_row(hidden, lang)
            hidden = []
            yield from rows
        elif rows:
            hidden.append(rows[0].entry)
    yield from _folded_row(hidden, lang)


def _folded_row(hidden: Sequence[str], lang: str) -> Iterator[FoldedRows]:
    if len(hidden) == 1:
        yield FoldedRows(say(lang, "replay.same_one", first=hidden[0]))
    elif hidden:
        yield FoldedRows(say(lang, "replay.same_to", first=hidden[0], last=hidden[-1]))


def _violations_of_one_reading(
    readings: TwoReadings, fold: TableFold, seat: int | None, lang: str, *, in_corrected: bool
) -> Iterator[Link]:
    """Yield the rules that are broken only in one of the readings."""
    for entry in readings.entries:
        recorded, corrected = (
            [code for one in side for code in _broke(one, seat)] for side in (entry.recorded, entry.corrected)
        )
        here, there = (corrected, recorded) if in_corrected else (recorded, corrected)
        for code in here:
            if code not in there:
                rule = rule_of(fold.game, code, lang)
                entry_label = say(lang, "replay.entry", version=entry.version)
                yield Link(label(lang, "with_remark", text=code, remark=entry_label), rule.address)


def _score(name: str, score: DealScore | None, players: int, wording: Wording) -> AmountsRow:
    if score is None:
        return AmountsRow(name=name, result=wording.say("no_such_deal"), amounts=[""] * players)
    return AmountsRow(name=name, result=result_summary(score, wording), amounts=[*map(signed_amount, score.deltas)])


def _stale(score: DealScore | None, at: Viewpoint, lang: str, *, may_rule: bool) -> Iterator[DecisionView]:
    """Yield the decisions that rest on the old reading, each ruling with a link to rule again if the reader may."""
    if score is None:
        return
    for ruling in score.rulings:
        if ruling.stale:
            note = label(lang, "case.stale", entries=label(lang, "list").join(map(str, ruling.stale)))
            case = f"{at.deal}/ruling" if ruling.dispute is None else f"disputes/{ruling.dispute}"
            links = [Link(say(lang, "ruling.rule_again"), f"/t/{at.table}/{case}")] if may_rule else []
            yield DecisionView(stamp=say(lang, "replay.stale"), text=ruling.text, notes=[note], links=links)
    if score.claimed is not None and score.claimed.stale:
        entries = label(lang, "list").join(map(str, score.claimed.stale))
        yield DecisionView(stamp=say(lang, "replay.stale"), text=label(lang, "case.stale_sheet", entries=entries))
