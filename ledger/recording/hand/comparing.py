"""Two scribes of one table: where in each deal they first say different things, and what follows from either."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TypeAlias

from msgspec import Struct, structs

from ledger.cards import UNKNOWN
from ledger.events import (
    MACHINE_TYPES,
    Announced,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    DealStarted,
    DealVoided,
    Event,
    ResultRecorded,
    ScoreClaimed,
    TrickGathered,
)
from ledger.recording.hand.sides import ToldTable
from ledger.table.answers import DealScore
from ledger.table.corrections import Entry
from ledger.table.fold import without_rulings
from ledger.table.score import score_answer

_Cards: TypeAlias = tuple[str, ...] | None


class ActTold(Struct, frozen=True, kw_only=True):
    """What one of them wrote there. `line` and `word` of a file; null in the ledger."""

    version: int
    line: int | None
    word: str | None
    event: Event


class DealOfTwo(Struct, frozen=True, kw_only=True):
    """A deal that is told in two ways. `first`, `second`: where they part, null for one who says no more.

    `score_first`, `score_second`: by the rules alone; null for one who does not have the deal. `players_first`,
    `players_second`: who sat there, by seat.
    """

    deal: int
    first: ActTold | None
    second: ActTold | None
    score_first: DealScore | None
    score_second: DealScore | None
    players_first: list[str]
    players_second: list[str]


class TablesCompared(Struct, frozen=True, kw_only=True):
    """Answer of `compare`. `game`: that of the first.

    `top`: which of game, players and options differ; of two games nothing else is told. `deals`: those that differ.
    What one of them does not know contradicts nothing that the other knows.
    """

    game: str
    first: str
    second: str
    top: list[str]
    deals: list[DealOfTwo]
    totals_first: list[int]
    totals_second: list[int]


def compared_tables(first: ToldTable, second: ToldTable, lang: str = "en") -> TablesCompared:
    """Compares them deal by deal, seat by seat; names may be spelled in two ways."""
    folds = [without_rulings(told.fold) for told in (first, second)]
    openings = [fold.opened for fold in folds]
    top = [field for field in ("game", "players", "options") if len({str(getattr(one, field)) for one in openings}) > 1]
    scores = [score_answer(told.slug, fold, lang) for told, fold in zip((first, second), folds, strict=True)]
    is_one_game = openings[0].game == openings[1].game and len(openings[0].players) == len(openings[1].players)
    numbers = range(1, max(len(fold.deals) for fold in folds) + 1) if is_one_game else ()
    by_number = [{deal.deal: deal for deal in score.deals} for score in scores]
    compared = [_of_deal(number, (first, second), [deals.get(number) for deals in by_number]) for number in numbers]
    return TablesCompared(
        game=openings[0].game,
        first=first.source,
        second=second.source,
        top=top,
        deals=[deal for deal in compared if deal is not None],
        totals_first=scores[0].totals,
        totals_second=scores[1].totals,
    )


def _of_deal(number: int, sides: tuple[ToldTable, ToldTable], scores: Sequence[DealScore | None]) -> DealOfTwo | None:
    """The deal, where it differs."""
    parting = _parting(*(_acts(told, number) for told in sides))
    if parting == (None, None) and _sums(scores[0]) == _sums(scores[1]):
        return None
    acts = [
        None
        if entry is None
        else ActTold(version=entry[0], line=told.line(entry[0]), word=told.word(*entry), event=entry[1])
        for told, entry in zip(sides, parting, strict=True)
    ]
    return DealOfTwo(
        deal=number,
        first=acts[0],
        second=acts[1],
        score_first=scores[0],
        score_second=scores[1],
        players_first=_players(sides[0], number),
        players_second=_players(sides[1], number),
    )


def _players(told: ToldTable, number: int) -> list[str]:
    return next((record.players for record in told.fold.deals if record.number == number), told.fold.players)


def _sums(score: DealScore | None) -> tuple[object, ...]:
    return () if score is None else (score.status, score.deltas, score.pool_after - score.pool_before)


def _acts(told: ToldTable, number: int) -> list[Entry]:
    """What was done in a deal; who took in a trick is told where it was wrong, and so is no part of it."""
    return [
        (version, event)
        for record in told.fold.deals
        if record.number == number
        for version, event in told.fold.entries[record.start : record.end]
        if type(event) in MACHINE_TYPES | {DealStarted, DealVoided} and type(event) is not TrickGathered
    ]


def _parting(first: Sequence[Entry], second: Sequence[Entry]) -> tuple[Entry | None, Entry | None]:
    """Where the two part; nothing where neither contradicts the other."""
    has_result = [any(type(event) is ResultRecorded for _, event in acts) for acts in (first, second)]
    if has_result[0] != has_result[1] and first and second:
        return None, None  # the result of one is compared with what the play of the other comes to
    sheets = [[entry for entry in acts if type(entry[1]) is ScoreClaimed] for acts in (first, second)]
    played = [[entry for entry in acts if type(entry[1]) is not ScoreClaimed] for acts in (first, second)]
    for one, other in zip_longest(*played):
        if one is None or other is None or _contradict(one[1], other[1]):
            return one, other
    for one, other in zip(*sheets, strict=False):
        if one[1] != other[1]:
            return one, other
    return None, None


def _contradict(one: Event, other: Event) -> bool:
    """Whether both cannot be true; what one does not know is no contradiction."""
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
    """Whether these cannot be the same cards, whatever the order."""
    if one is None or other is None:
        return False
    if len(one) != len(other):
        return True
    known = [set(row) - {UNKNOWN} for row in (one, other)]
    return len(known[0] | known[1]) > len(one)
