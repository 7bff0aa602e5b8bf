"""Replaces a whole deal by one typed anew, the `[[deal]]` of a hand record: corrections that are recorded as one.

Versions name original entries (contract 3), so that no single `corrected` can replace several of them. What is the same
in both deals stays as it is; each entry that differs is corrected, all with one reason and in one append. Remarks,
disputes, rulings and who sits at the table are no part of the deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, Final

from msgspec import structs

from ledger.errors import MalformedError, in_file
from ledger.events import DEAL_TYPES, Corrected, DealStarted, Event, Noted, encode_event
from ledger.recording.correcting import correction_of_version
from ledger.recording.hand.file import HandRecordFile, is_left_empty
from ledger.recording.hand.page import Page
from ledger.recording.hand.reading import read_file, read_page
from ledger.recording.hand.record import refuse_impossible
from ledger.recording.hand.table import TableReader
from ledger.recording.words import phrase
from ledger.table.fold import DealRecord, TableFold

_ORDER: Final = {"strike": 0, "replace": 1, "insert_after": 2}
"""What is left out makes room first: a result cannot stand beside play at any time."""


def deal_correction(fold: TableFold, table: str, number: int, text: str, source: str, reason: str) -> list[Corrected]:
    """Return the corrections after which that deal of the `table` (its slug) is read as in the file.

    Raises `NotFoundError` for a deal that there is not, `MalformedError` where the file cannot be read, tells of more
    than one deal or of another table, and where nothing would be read otherwise than now.
    """
    if not reason.strip():
        raise MalformedError(phrase("correction.no_reason"), phrase("correction.reason"))
    record = fold.deal(number)
    told = _told(fold, table, record, text, source)
    now = _laid_over(fold, record, told)
    found = [
        correction_of_version(fold, version, tuple(events), reason)
        for version, events in now.items()
        if tuple(events) != _read_at(fold, version)
    ]
    if not found:
        raise MalformedError(phrase("correction.deal_is_read_so", deal=number), phrase("correction.changes"))
    return sorted(found, key=lambda event: (_ORDER[event.action], event.version))


def _told(fold: TableFold, table: str, record: DealRecord, text: str, source: str) -> list[Event]:
    """The events of the deal in the file; what stands around it there is that of the table, or must be the same."""
    page = read_page(text, source)
    try:
        reader = TableReader(page, _alone(fold, table, record, page))
        reader.read()
    except MalformedError as error:
        raise page.with_others(error) from None
    page.raise_errors()
    refuse_impossible(reader.slips)
    events = [item.event for item in reader.told]
    start = next(place for place, event in enumerate(events) if type(event) is DealStarted)
    return [structs.replace(events[start], deal=record.number), *events[start + 1 :]]


def _alone(fold: TableFold, table: str, record: DealRecord, page: Page) -> HandRecordFile:
    """The file with its one deal alone; what it says of the table must be so."""
    opened = fold.opened
    known: dict[str, Any] = {
        "game": opened.game,
        "table": table,
        "players": list(record.players),
        "options": opened.options,
    }
    file = read_file(page, known)
    for key in ("game", "table", "players"):
        told = getattr(file, key)
        if told != known[key]:
            what = phrase("correction.of_table") if key == "table" else phrase("correction.another_table", field=key)
            shown, due = (", ".join(names) if key == "players" else names for names in (told, known[key]))
            page.errors.append(page.refuse(page.line_of(key), what, due, shown))
    page.raise_errors()
    played = [part for part in file.deal if not is_left_empty(part)]
    if len(played) != 1 or played[0].seated:
        expected = phrase("correction.one_deal")
        what = phrase("correction.deals_told", count=len(played))
        raise MalformedError(what, expected, where=in_file(str(page.source)))
    (part,) = played
    if part.dealer is None:
        part = structs.replace(part, dealer=record.players[record.dealer])
    return structs.replace(file, deal=[part], closed=False, session=None, source=None, comment=None, expect=None)


def _laid_over(fold: TableFold, record: DealRecord, told: Sequence[Event]) -> dict[int, list[Event]]:
    """What is to be read at each entry of the deal, by its version: as few entries as possible are read otherwise."""
    entries = fold.entries[record.start : record.end]
    now: dict[int, list[Event]] = {}
    for version, event in entries:
        now.setdefault(version, []).append(event)
    kept = [event for _, event in entries if type(event) is Noted]
    old = [entry for entry in entries[1:] if type(entry[1]) in DEAL_TYPES]
    new = [event for event in told[1:] if event not in kept]
    now[record.version][0] = told[0]
    put: dict[int, list[Event]] = {}
    left_out: list[tuple[int, Event]] = []
    alike = SequenceMatcher(None, [encode_event(event) for _, event in old], list(map(encode_event, new)), False)
    for kind, first, end, new_first, new_end in alike.get_opcodes():
        if kind == "equal":
            continue
        last = old[first - 1][0] if first else record.version
        for was, event in zip_longest(old[first:end], new[new_first:new_end]):
            if was is None:
                put.setdefault(last, []).append(event)
                continue
            last, place = was[0], now[was[0]].index(was[1])
            if event is None:
                left_out.append(was)
            else:
                now[last][place] = event
    for version, event in left_out:
        now[version].remove(event)
    for version, events in put.items():
        now[version] += events
    return now


def _read_at(fold: TableFold, version: int) -> tuple[Any, ...]:
    return tuple(event for at, event in fold.entries if at == version)
