"""The comparison of two records of a table, and of a table with the hand record that was written of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct, structs

from ledger.cards import UNKNOWN
from ledger.events import (
    DIRECTOR_TYPES,
    MACHINE_TYPES,
    Announced,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    DealStarted,
    DealVoided,
    Event,
    Noted,
    ResultRecorded,
    ScoreClaimed,
    TableClosed,
    TableOpened,
    TrickGathered,
    encode_event,
)
from ledger.games import game_named
from ledger.i18n import Text
from ledger.recording.catalogue import phrase
from ledger.recording.hand.checking import TableSource
from ledger.recording.hand.seats import without_none
from ledger.recording.pending_entry import PendingEntry
from ledger.recording.validator import type_name
from ledger.table.answers import DealScore
from ledger.table.corrections import Entry
from ledger.table.fold import without_rulings
from ledger.table.score import score_answer

_Entries: TypeAlias = Sequence[Entry]


class LeftOut(Struct, frozen=True, kw_only=True):
    """Something that the table has and its hand record does not. `version`: of the entry, if it is a single one."""

    what: Text
    deal: int | None = None
    version: int | None = None


class Differences(Struct, frozen=True):
    """The losses of writing a table as a hand record. `misread`: the deals in which something else is read."""

    left_out: tuple[LeftOut, ...]
    misread: frozenset[int]


def parts_of(entries: _Entries) -> list[_Entries]:
    """Split entries into those before the first deal, and those of each deal."""
    starts = [place for place, (_, event) in enumerate(entries) if type(event) is DealStarted]
    return [entries[start:end] for start, end in zip([0, *starts], [*starts, len(entries)], strict=True)]


def moment_of(deal: _Entries, moments: Mapping[int, str]) -> str | None:
    """Return the moment of most entries of a deal; None if most have none."""
    return Counter(moments.get(version) for version, _ in deal).most_common(1)[0][0]


def differences(reading: _Entries, entries: Sequence[PendingEntry], moments: Mapping[int, str]) -> Differences:
    """Compare a table with the entries read back from its hand record. `moments`: by version of the table's entries."""
    stream = next(item.stream for item in entries if type(item.event) is TableOpened)
    again = list(enumerate((item.event for item in entries if item.stream == stream), start=1))
    keys = _ComparisonKeys(reading)
    parts, parts_again = parts_of(reading), parts_of(again)
    losses: list[LeftOut] = []
    misread: set[int] = set()
    for deal, both in enumerate(zip(parts, parts_again, strict=True)):
        left_out, is_misread = _compare_part(deal, *both, keys)
        losses += left_out
        misread |= {deal} if is_misread else set()
    if unsaid := _moments_unsaid(parts, moments):
        losses.append(LeftOut(what=phrase("written.moments", count=unsaid)))
    return Differences(tuple(losses), frozenset(misread))


def _compare_part(deal: int, entries: _Entries, again: _Entries, keys: _ComparisonKeys) -> tuple[list[LeftOut], bool]:
    """Return the losses of one deal (0: of the part before the first), and whether something else is read."""
    original, reread = ([(keys.of(entry[1]), entry) for entry in those] for those in (entries, again))
    missing, common = _missing_and_common(original, reread)
    added, common_again = _missing_and_common(reread, original)
    notes = {event.text for _, (_, event) in missing if isinstance(event, Noted)}
    new = [event for _, (_, event) in added if not (isinstance(event, Noted) and event.text in notes)]
    left_out = [_unsaid(deal, *entry) for _, entry in missing]
    left_out += [_left_out(deal, "added", type_name(event)) for event in new]
    orders = [[key for key, _ in those] for those in (common, common_again)]
    acts = [[key for key, (_, event) in those if type(event) is not Noted] for those in (common, common_again)]
    is_moved = acts[0] != acts[1]
    if orders[0] != orders[1]:
        left_out.append(_left_out(deal, "moved" if is_moved else "notes_moved"))
    return left_out, bool(new) or is_moved


_KeyedEntry: TypeAlias = tuple[bytes, Entry]


def _missing_and_common(
    entries: Sequence[_KeyedEntry], others: Sequence[_KeyedEntry]
) -> tuple[list[_KeyedEntry], list[_KeyedEntry]]:
    """Return the entries without an equal among the others, and those with one."""
    left = Counter(key for key, _ in others)
    missing: list[_KeyedEntry] = []
    common: list[_KeyedEntry] = []
    for entry in entries:
        (common if left[entry[0]] > 0 else missing).append(entry)
        left[entry[0]] -= 1
    return missing, common


def _unsaid(deal: int, version: int, event: Event) -> LeftOut:
    if isinstance(event, Noted):
        key = "about_note"
    elif type(event) in DIRECTOR_TYPES:
        key = "director"
    else:
        key = "entry"
    return _left_out(deal, key, type_name(event), version)


def _left_out(deal: int, key: str, event: str | None = None, version: int | None = None) -> LeftOut:
    values = {name: value for name, value in (("event", event), ("version", version)) if value is not None}
    what = phrase(f"written.{key}", **values)
    located = phrase("written.in_deal", deal=deal, what=what) if deal else phrase("written.before_deals", what=what)
    return LeftOut(what=located, deal=deal or None, version=version)


def _moments_unsaid(parts: Sequence[_Entries], moments: Mapping[int, str]) -> int:
    """Count the entries whose moment is not that of their deal."""
    before, *deals = parts
    unsaid = sum(version in moments for version, _ in before)
    for deal in deals:
        when = moment_of(deal, moments)
        unsaid += sum(
            moments.get(version) != (None if type(event) is TableClosed else when)
            for version, event in deal
            if type(event) not in DIRECTOR_TYPES
        )
    return unsaid


class _ComparisonKeys:
    """Keys under which the events of one table are compared; events that mean the same have the same key."""

    def __init__(self, reading: _Entries) -> None:
        opened = reading[0][1]
        assert isinstance(opened, TableOpened), "a table's first entry opens it"
        self._game = game_named(opened.game)
        self._seats = len(opened.players)
        self._options = self._game.make_options(opened.options, self._seats)

    def of(self, event: Event) -> bytes:
        match event:
            case TableOpened():
                options = msgspec.to_builtins(self._game.make_options(event.options, self._seats))
                return encode_event(structs.replace(event, options=options))
            case CardsExchanged(count=0):
                return encode_event(structs.replace(event, discarded=(), drawn=None))
            case Announced(seats=tuple(seats)):
                together = tuple(sorted(set(seats)))
                return encode_event(structs.replace(event, seats=None if together == (event.seat,) else together))
            case ResultRecorded():
                return encode_event(structs.replace(event, outcome=_without_none(event.outcome)))
            case ScoreClaimed():
                sheet = without_none(event.sheet or {}, self._game.sheet_type)
                filled = {key: value and _without_none(value) for key, value in sorted(sheet.items())}
                return encode_event(structs.replace(event, sheet=filled or None))
            case _:
                return encode_event(event)


def _without_none(value: Any) -> Any:
    """Return the value without the keys whose value is null."""
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in sorted(value.items()) if item is not None}
    return [_without_none(item) for item in value] if isinstance(value, list | tuple) else value


_Cards: TypeAlias = tuple[str, ...] | None


class ComparedAct(Struct, frozen=True, kw_only=True):
    """An act in one of the two records. `line` and `word`: of the file; null in the ledger."""

    version: int
    line: int | None
    word: str | None
    event: Event


class DealDifference(Struct, frozen=True, kw_only=True):
    """A deal that differs. `first`, `second`: the first acts that differ, null where a record has no more.

    `score_first`, `score_second`: the scores by the rules; null where a record does not have the deal. `players_first`,
    `players_second`: the players by seat.
    """

    deal: int
    first: ComparedAct | None
    second: ComparedAct | None
    score_first: DealScore | None
    score_second: DealScore | None
    players_first: list[str]
    players_second: list[str]


class TableComparison(Struct, frozen=True, kw_only=True):
    """Answer of `compare`. `game`: that of the first record.

    `top`: which of game, players and options differ; two different games are not compared any further. `deals`: the
    deals that differ. An unknown card contradicts no known one.
    """

    game: str
    first: str
    second: str
    top: list[str]
    deals: list[DealDifference]
    totals_first: list[int]
    totals_second: list[int]


def compare_tables(first: TableSource, second: TableSource, lang: str = "en") -> TableComparison:
    """Compare two records of a table deal by deal and seat by seat; names may be spelled differently."""
    folds = [without_rulings(table.fold) for table in (first, second)]
    openings = [fold.opened for fold in folds]
    top = [field for field in ("game", "players", "options") if len({str(getattr(one, field)) for one in openings}) > 1]
    scores = [score_answer(table.slug, fold, lang) for table, fold in zip((first, second), folds, strict=True)]
    is_one_game = openings[0].game == openings[1].game and len(openings[0].players) == len(openings[1].players)
    numbers = range(1, max(len(fold.deals) for fold in folds) + 1) if is_one_game else ()
    by_number = [{deal.deal: deal for deal in score.deals} for score in scores]
    compared = [
        _deal_difference(number, (first, second), [deals.get(number) for deals in by_number]) for number in numbers
    ]
    return TableComparison(
        game=openings[0].game,
        first=first.source,
        second=second.source,
        top=top,
        deals=[deal for deal in compared if deal is not None],
        totals_first=scores[0].totals,
        totals_second=scores[1].totals,
    )


def _deal_difference(
    number: int, sides: tuple[TableSource, TableSource], scores: Sequence[DealScore | None]
) -> DealDifference | None:
    """Return the deal if it differs."""
    differing = _first_difference(*(_acts(side, number) for side in sides))
    if differing == (None, None) and _points(scores[0]) == _points(scores[1]):
        return None
    acts = [
        None
        if entry is None
        else ComparedAct(version=entry[0], line=side.line(entry[0]), word=side.word(*entry), event=entry[1])
        for side, entry in zip(sides, differing, strict=True)
    ]
    return DealDifference(
        deal=number,
        first=acts[0],
        second=acts[1],
        score_first=scores[0],
        score_second=scores[1],
        players_first=_players(sides[0], number),
        players_second=_players(sides[1], number),
    )


def _players(table: TableSource, number: int) -> list[str]:
    return next((record.players for record in table.fold.deals if record.number == number), table.fold.players)


def _points(score: DealScore | None) -> tuple[object, ...]:
    return () if score is None else (score.status, score.deltas, score.pool_after - score.pool_before)


def _acts(table: TableSource, number: int) -> list[Entry]:
    """Return the acts of a deal, without gathered tricks: these are recorded only if the wrong player took one."""
    return [
        (version, event)
        for record in table.fold.deals
        if record.number == number
        for version, event in table.fold.entries[record.start : record.end]
        if type(event) in MACHINE_TYPES | {DealStarted, DealVoided} and type(event) is not TrickGathered
    ]


def _first_difference(first: Sequence[Entry], second: Sequence[Entry]) -> tuple[Entry | None, Entry | None]:
    """Return the first acts that differ; `(None, None)` if neither record contradicts the other."""
    has_result = [any(type(event) is ResultRecorded for _, event in acts) for acts in (first, second)]
    if has_result[0] != has_result[1] and first and second:
        return None, None  # the result of one is compared with the score of the other's play
    sheets = [[entry for entry in acts if type(entry[1]) is ScoreClaimed] for acts in (first, second)]
    played = [[entry for entry in acts if type(entry[1]) is not ScoreClaimed] for acts in (first, second)]
    for one, other in zip_longest(*played):
        if one is None or other is None or _contradicts(one[1], other[1]):
            return one, other
    for one, other in zip(*sheets, strict=False):
        if one[1] != other[1]:
            return one, other
    return None, None


def _contradicts(one: Event, other: Event) -> bool:
    """Return whether both events cannot be true; an unknown card contradicts no known one."""
    match one, other:
        case CardPlayed(), CardPlayed():
            return one.seat != other.seat or (one.card != other.card and UNKNOWN not in (one.card, other.card))
        case CardsDealt(), CardsDealt():
            hands = zip(one.hands, other.hands, strict=True)
            rows = [*hands, (one.stock, other.stock), (one.deck, other.deck)]
            is_cut_otherwise = None not in (one.cut_by, other.cut_by) and one.cut_by != other.cut_by
            return is_cut_otherwise or any(_are_other_cards(*row) for row in rows)
        case CardsExchanged(), CardsExchanged():
            rows = [(one.discarded, other.discarded), (one.drawn, other.drawn)]
            is_otherwise = (one.seat, one.count) != (other.seat, other.count)
            return is_otherwise or any(_are_other_cards(*row) for row in rows)
        case Announced(), Announced():
            return structs.replace(one, seats=None) != structs.replace(other, seats=None)
        case _:
            return one != other


def _are_other_cards(one: _Cards, other: _Cards) -> bool:
    """Return whether these cannot be the same cards in any order."""
    if one is None or other is None:
        return False
    if len(one) != len(other):
        return True
    known = [set(row) - {UNKNOWN} for row in (one, other)]
    return len(known[0] | known[1]) > len(one)
