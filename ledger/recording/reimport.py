"""Comparison of a hand record with the table that the ledger has of it: new lines, and lines that disagree.

Nothing is recorded here. Entries that the file lacks stay, also those of other recorders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import starmap
from typing import Final
from unicodedata import normalize

from msgspec import Struct, structs

from ledger.cards import UNKNOWN
from ledger.errors import ConflictError, MalformedError, in_file
from ledger.events import MACHINE_TYPES, CardsDealt, Event, SessionOpened, decode_event, encode_event
from ledger.i18n import Phrase, Text
from ledger.log.base import LogStore
from ledger.recording.catalogue import phrase
from ledger.recording.correcting import as_correction
from ledger.recording.diff import Alignment, ChangedEntry, Item, aligned, items_of
from ledger.recording.event_text import hand_words
from ledger.recording.hand.record import HandRecord, read_hand_record
from ledger.recording.hand.slips import Slip
from ledger.recording.pending_entry import PendingEntry
from ledger.recording.stream_checks import stored_entries

_SHOWN: Final = 20
"""The most changed lines that a message shows."""

_UNSAID: Final = "-"
"""The reason of corrections in a dry run without a reason."""


class ChangedLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry of the ledger with which a line of a file disagrees: `was` is read now, `now` would be read instead.

    `version`: of the entry in its stream.
    """

    stream: str
    version: int
    line: int | None
    was: tuple[Event, ...]
    now: tuple[Event, ...]


class ReimportDiff(Struct, frozen=True, kw_only=True):
    """What a file adds to the ledger: corrections of recorded entries, then new entries.

    `known`: the entries of the file that the ledger has, by stream and version. `lacking`: how many entries at the end
    of the table the file lacks. `versions`: the version of each compared stream. `contradicts`: whether the file
    disagrees with the ledger beyond hands that were unknown before.
    """

    pending: Sequence[PendingEntry]
    versions: Mapping[str, int] = {}
    known: Mapping[str, Mapping[int, PendingEntry]] = {}
    changed: tuple[ChangedLine, ...] = ()
    shown: tuple[Phrase, ...] = ()
    already: int = 0
    lacking: int = 0
    contradicts: bool = False

    @property
    def is_new(self) -> bool:
        """Whether the ledger does not have the table yet."""
        return not self.versions


class ChangedLinesError(ConflictError):
    """The error for lines that disagree with the ledger; the message shows the correction of each."""

    def __init__(self, source: str, diff: ReimportDiff) -> None:
        self.changed = diff.changed
        shown: Text = diff.shown[0]
        for one in diff.shown[1:_SHOWN]:
            shown = phrase("changed.more", lines=shown, one=one)
        if len(diff.shown) > _SHOWN:
            rest = phrase("changed.rest", count=len(diff.shown) - _SHOWN)
            shown = phrase("changed.more", lines=shown, one=rest)
        first = diff.changed[0]
        at = {"stream": first.stream, "version": first.version, "line": first.line}
        super().__init__("forked", phrase("changed.head", file=in_file(source), lines=shown), **at)


def reimport_diff(
    store: LogStore, record: HandRecord, text: str, source: str, reason: str | None, hands_later: str
) -> ReimportDiff:
    """Return what the record adds to the ledger; everything if the ledger does not have its table.

    `text` and `source`: the file of the record. `reason`: that of the corrections; `hands_later`: the default for
    corrections that only add hands.
    """
    entries = stored_entries(store, record.stream)
    if not entries:
        return ReimportDiff(pending=record.entries)
    items = items_of(entries)
    first = next(place for place, item in enumerate(record.entries) if item.stream == record.stream)
    pending = record.entries[first:]
    alignment = aligned(items, [_as_stored(item.event) for item in pending])
    pending = _read_after_corrections(record, first, pending, items, alignment, text, source)
    because = _UNSAID if reason is None else reason
    by_version = {item.version: item for item in items}
    changed, shown, corrections = [], [], []
    for change in alignment.changes:
        at, players = pending[change.place], _players_at(record, first + change.place)
        changed.append(_changed(change, at))
        shown.append(_in_words(change, at, players))
        why = hands_later if reason is None and _adds_hands(change) else because
        corrections.append(_correction(change, at, by_version[change.version], why))
    known = {version: pending[place] for place, version in sorted(alignment.known.items(), reverse=True)}
    of_session = _session_diff(store, record.entries[:first], because)
    return ReimportDiff(
        versions={record.stream: len(entries), **of_session.versions},
        pending=[*of_session.pending, *corrections, *(pending[place] for place in alignment.new)],
        known={record.stream: known, **of_session.known},
        changed=(*of_session.changed, *changed),
        shown=(*of_session.shown, *shown),
        already=of_session.already + len(_recognised(alignment, pending, items)),
        lacking=len(alignment.lacking),
        contradicts=of_session.contradicts or not all(map(_adds_hands, alignment.changes)),
    )


def _adds_hands(change: ChangedEntry) -> bool:
    """Return whether the change only adds cards that were unknown before."""
    match change.was, change.now:
        case (CardsDealt() as was,), (CardsDealt() as now,) if len(was.hands) == len(now.hands):
            rows = [*zip(was.hands, now.hands, strict=True), (was.stock, now.stock), (was.deck, now.deck)]
            return was.cut_by in (None, now.cut_by) and all(starmap(_adds_cards, rows))
    return False


def _adds_cards(was: Sequence[str] | None, now: Sequence[str] | None) -> bool:
    if was is None or now is None:
        return was is None
    return len(was) == len(now) and not Counter(card for card in was if card != UNKNOWN) - Counter(now)


def _as_stored(event: Event) -> Event:
    """Return the event as the log would return it, with all text in NFC."""
    return decode_event(normalize("NFC", encode_event(event).decode()).encode())


def _recognised(alignment: Alignment, pending: Sequence[PendingEntry], items: Sequence[Item]) -> list[int]:
    """Return the indexes of the file's events that equal recorded ones."""
    stored = {item.version: (*item.read, item.original) for item in items}
    return [place for place, version in alignment.known.items() if _as_stored(pending[place].event) in stored[version]]


def _changed(change: ChangedEntry, at: PendingEntry) -> ChangedLine:
    return ChangedLine(stream=at.stream, version=change.version, line=at.line, was=change.was, now=change.now)


def _correction(change: ChangedEntry, at: PendingEntry, item: Item, reason: str) -> PendingEntry:
    event = as_correction(change.version, item.original, change.now, reason)
    return structs.replace(at, event=event, id=None, happened_at=None)


def _in_words(change: ChangedEntry, at: PendingEntry, players: Sequence[str]) -> Phrase:
    was, now = (_all_words(events, players) for events in _apart(change.was, change.now))
    return phrase("changed.line", line=at.line, was=was, now=now, version=change.version)


def _apart(was: Sequence[Event], now: Sequence[Event]) -> tuple[Sequence[Event], Sequence[Event]]:
    """Return both sequences without their common beginning."""
    same = 0
    while same < min(len(was), len(now)) and was[same] == now[same]:
        same += 1
    return was[same:], now[same:]


def _all_words(events: Sequence[Event], players: Sequence[str]) -> Text:
    if not events:
        return phrase("changed.nothing")
    return ", ".join(hand_words(event, players) for event in events)


def _players_at(record: HandRecord, place: int) -> Sequence[str]:
    """Return the players at the table at that event of the file."""
    offset = len(record.entries) - len(record.table.entries)
    started = [deal for deal in record.table.deals if deal.start <= place - offset]
    return started[-1].players if started else record.table.opened.players


def _read_after_corrections(
    record: HandRecord,
    first: int,
    pending: list[PendingEntry],
    items: Sequence[Item],
    alignment: Alignment,
    text: str,
    source: str,
) -> list[PendingEntry]:
    """Return the entries of the file, with new lines read again after the corrections in the ledger.

    The seat in turn of a new line depends on the cards before it. If the file still has an event that was corrected,
    the corrected one counts.
    """
    read = {item.version: item.read for item in items}
    changed = {change.version for change in alignment.changes}
    times = Counter(alignment.known.values())
    otherwise = {
        first + place: read[version]
        for place, version in alignment.known.items()
        if version not in changed
        and times[version] == 1
        and read[version] != (_as_stored(pending[place].event),)
        and {type(pending[place].event), *map(type, read[version])} <= MACHINE_TYPES
    }
    if not (alignment.new and otherwise):
        return pending
    try:
        reread = read_hand_record(text, source, retyped=record.retyped, read_now=otherwise, seeks_slips=False)
    except MalformedError:  # its old lines no longer fit; the new ones are read with them as typed
        return pending
    again = reread.entries[first:]
    if len(again) != len(pending):
        return pending
    new = set(alignment.new)
    return [again[place] if place in new else item for place, item in enumerate(pending)]


def new_slips(record: HandRecord, diff: ReimportDiff) -> Sequence[Slip]:
    """Return the slips in deals with new or changed lines; the others were reported before."""
    lines = {item.line for item in diff.pending}
    offset = len(record.entries) - len(record.table.entries)
    anew = []
    for slip in record.slips:
        deal = record.table.deals[slip.number - 1]
        if lines & {item.line for item in record.entries[deal.start + offset : deal.end + offset]}:
            anew.append(slip)
    return anew


def _session_diff(store: LogStore, pending: Sequence[PendingEntry], reason: str) -> ReimportDiff:
    """Return what the file adds to its session, if it opens one."""
    if not pending:
        return ReimportDiff(pending=[])
    at = pending[0]
    entries = stored_entries(store, at.stream)
    versions = {at.stream: len(entries)}
    opened = next((item for item in items_of(entries) if isinstance(item.original, SessionOpened)), None)
    if opened is None:
        return ReimportDiff(versions=versions, pending=[at])
    event = _as_stored(at.event)
    if (event,) in opened.accepted_forms:
        return ReimportDiff(versions=versions, pending=[], known={at.stream: {opened.version: at}}, already=1)
    change = ChangedEntry(opened.version, opened.read, (event,), 0)
    return ReimportDiff(
        versions=versions,
        pending=[_correction(change, at, opened, reason)],
        known={at.stream: {opened.version: at}},
        changed=(_changed(change, at),),
        shown=(_in_words(change, at, ()),),
        contradicts=True,
    )
