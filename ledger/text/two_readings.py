"""The two readings of a deal side by side: what was first written on the left, what is read now on the right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger.table.answers import DealScore
from ledger.table.fold import TableFold
from ledger.table.two_readings import EntryRead, EventRead, TwoReadings
from ledger.text.cards import amounts_text
from ledger.text.columns import padded, width_of
from ledger.text.events import event_text, whole_event_text
from ledger.text.score import result_text
from ledger.text.words import label

_WIDEST: Final = 60
"""Columns of the left side at most; a longer line pushes the right side out."""


def side_by_side(readings: TwoReadings, fold: TableFold) -> Iterator[str]:
    """A line for each entry; `≠` stands where the readings differ, and below it by which correction and why."""
    players = next((record.players for record in fold.deals if record.number == readings.deal), fold.players)
    rows = [row for entry in readings.entries for row in _rows(entry, players)]
    scores = (readings.score_recorded, readings.score_corrected)
    left, right = (_score(score, players) for score in scores)
    width = min(_WIDEST, width_of([left, "as first written", *(row[1] for row in rows)]))
    yield f"{readings.table} · {fold.game.title} · deal {readings.deal}"
    yield ""
    yield _line("entry", "as first written", " ", "as corrected", width)
    for number, was, now, differs, reason in rows:
        yield _line(number, was, "≠" if differs else " ", now, width)
        if reason:
            yield _line("", "", " ", reason, width)
    yield _line("score", left, " " if left == right else "≠", right, width)
    totals = [amounts_text(amounts, fold.players) for amounts in (readings.totals_recorded, readings.totals_corrected)]
    yield _line("total", totals[0], " " if totals[0] == totals[1] else "≠", totals[1], width)


def _line(number: str, left: str, sign: str, right: str, width: int) -> str:
    return f"{number:>5}  {padded(left, width)} {sign} {right}".rstrip()


def _rows(entry: EntryRead, players: Sequence[str]) -> Iterator[tuple[str, str, str, bool, str]]:
    """Number, both sides, whether they differ, and below the last one the reason."""
    differs = entry.recorded != entry.corrected
    count = max(len(entry.recorded), len(entry.corrected))
    for place in range(count):
        was, now = (_told(side[place : place + 1], players, entry) for side in (entry.recorded, entry.corrected))
        is_last = differs and place == count - 1
        reason = _by(entry) if entry.correction and is_last else ""
        is_changed = differs and entry.recorded[place : place + 1] != entry.corrected[place : place + 1]
        yield str(entry.version) if not place else "", was, now, is_changed, reason


def _by(entry: EntryRead) -> str:
    return "  " + label("en", "by_correction", version=entry.correction, reason=entry.reason)


def _told(read: Sequence[EventRead], players: Sequence[str], entry: EntryRead) -> str:
    if not read:
        return "–"
    told = event_text if entry.correction is None else whole_event_text
    return told(read[0].event, players) + "".join(f"  ! {code}" for code in read[0].broke)


def _score(score: DealScore | None, players: Sequence[str]) -> str:
    if score is None:
        return "no such deal"
    return f"{result_text(score)}: {amounts_text(score.deltas, players)}"
