"""The entries of a deal as written and as read, and one entry with the form that corrects it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from ledger.events import CardsDealt, Corrected, DealStarted, DirectorEvent, Event
from ledger.log.base import Row
from ledger.recording.correcting import CorrectionTarget, deals_at
from ledger.recording.event_text import hand_words
from ledger.table.corrections import Correction, corrections_in_force
from ledger.table.fold import TableFold
from ledger.table.repository import TableAsRead
from ledger.text.catalogue import Wording, label, writer_name, written_wording_for
from ledger.text.events import whole_event_text
from ledger.text.site.catalogue import say
from ledger.text.site.recorder.acts import replaceable_act
from ledger.zones import moment_text

_KEYED: Final = re.compile(r'\w+ = "(.*)"', re.DOTALL)
"""A line of a hand record with its key; a correction takes what is within the quotes."""


class EntryView(Struct, frozen=True, kw_only=True):
    """An entry as written, and as read if that differs. `is_struck`: it is read as nothing. `by`: author and time.

    `correction`: the correction in force and its reason. `deal`: None for an entry before the first deal. `words`: how
    the entry reads now, as a correction takes it. `is_directors`: a dispute or ruling. `has_keyboard`: another act may
    be chosen by buttons.
    """

    version: int
    written: str
    read: str
    is_struck: bool
    by: str
    correction: str
    deal: int | None
    words: str
    is_directors: bool
    has_keyboard: bool


def entries_of(read: TableAsRead, deal: int, rows: Sequence[Row], lang: str) -> Sequence[EntryView]:
    """Return the entries of a deal in the order of the log; the first deal includes what was recorded before it.

    Raise `NotFoundError` if the table has no such deal.
    """
    fold = read.fold
    record = fold.deal(deal)
    later = [one.version for one in fold.deals if one.version > record.version]
    first, end = (1 if record is fold.deals[0] else record.version), (later[0] if later else len(rows) + 1)
    return list(_views(fold, range(first, end), rows, lang))


def entry_of(read: TableAsRead, version: int, rows: Sequence[Row], lang: str) -> EntryView:
    """Return one entry, which exists and is no correction."""
    return next(_views(read.fold, range(version, version + 1), rows, lang))


def _views(fold: TableFold, versions: range, rows: Sequence[Row], lang: str) -> Iterator[EntryView]:
    wording = written_wording_for(fold.game, lang)
    in_force = corrections_in_force(fold.recorded)
    now: dict[int, list[Event]] = {}
    for version, event in fold.entries:
        now.setdefault(version, []).append(event)
    for version in versions:
        written = fold.recorded[version - 1][1]
        if not isinstance(written, Corrected):
            yield _view(fold, version, written, now.get(version, []), in_force, rows[version - 1], wording)


def _view(
    fold: TableFold,
    version: int,
    written: Event,
    now: Sequence[Event],
    in_force: Mapping[int, Correction],
    row: Row,
    wording: Wording,
) -> EntryView:
    lang, deals = wording.lang, deals_at(fold, CorrectionTarget(version))
    players = fold.deal(deals[0]).players if deals else fold.players
    correction = in_force.get(version) if list(now) != [written] else None
    by = (writer_name(row.recorded_by, lang), moment_text(row.recorded_at))
    return EntryView(
        version=version,
        written=whole_event_text(written, players, wording),
        read=""
        if correction is None
        else wording.listed(whole_event_text(one, players, wording) for one in now) or say(lang, "entries.nothing"),
        is_struck=not now,
        by=label(lang, "list").join(by),
        correction=""
        if correction is None
        else label(lang, "by_correction", version=correction.version, reason=correction.event.reason),
        deal=deals[0] if deals else None,
        words=_words(now[0], players) if len(now) == 1 else "",
        is_directors=any(isinstance(one, DirectorEvent) for one in (written, *now)),
        has_keyboard=version > 1 and replaceable_act(fold, version) is not None,
    )


def _words(event: Event, players: Sequence[str]) -> str:
    """Return an event in the words that a correction of it takes."""
    if isinstance(event, DealStarted):
        return players[event.dealer]
    if isinstance(event, CardsDealt):
        dealt = [*zip(players, event.hands, strict=False), ("stock", event.stock)]
        return " / ".join(f"{name}: {' '.join(cards)}" for name, cards in dealt if cards)
    words = hand_words(event, players)
    keyed = _KEYED.fullmatch(words)
    return words if keyed is None else keyed[1]
