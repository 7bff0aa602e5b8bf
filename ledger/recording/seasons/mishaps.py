"""The flaws of a club's record: hands nobody wrote down, results without play, slips, disputes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from msgspec import structs, to_builtins

from ledger.events import (
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    Corrected,
    DealStarted,
    DisputeRaised,
    Event,
    PlayerSeated,
    ResultRecorded,
    RulingGiven,
    RulingKind,
    TableClosed,
    TableOpened,
)
from ledger.games.kernel.protocol import Game
from ledger.recording.catalogue import phrase
from ledger.table.fold import TableFold

_RESULTS, _PLAYED = 0.15, 0.5
"""The shares of tables with only results, and with everything but the hands."""

_SLIP, _QUARREL = 0.03, 0.03
"""The shares of deals with a wrongly recorded card, and with a dispute."""

_RESULT_TYPES: Final = (TableOpened, PlayerSeated, DealStarted, TableClosed)


class _Deal(NamedTuple):
    """The events of one deal, and those up to the next deal."""

    number: int
    events: Sequence[Event]


class _Table(NamedTuple):
    """The properties of a table that later entries depend on."""

    game: Game
    seats: int
    lang: str


def with_mishaps(game: Game, events: Sequence[Event], chance: Random, lang: str) -> list[Event]:
    """Return the table as a club would record it, with texts in the language."""
    drawn = chance.random()
    if drawn < _RESULTS:
        written = _results_alone(events)
    elif drawn < _RESULTS + _PLAYED:
        written = [_without_hands(event) for event in events]
    else:
        written = list(events)
    return list(_with_aftermath(game, written, chance, lang))


def _results_alone(events: Sequence[Event]) -> list[Event]:
    """Return the table with results in place of calls and cards, up to the first deal without a result."""
    fold = TableFold(list(enumerate(events, 1)))
    outcomes = {record.number: record.outcome for record in fold.deals}
    written: list[Event] = []
    for event in events:
        if not isinstance(event, _RESULT_TYPES):
            continue
        if isinstance(event, DealStarted):
            outcome = outcomes[event.deal]
            if outcome is None:
                break
            written += [event, ResultRecorded(outcome=to_builtins(outcome))]
        else:
            written.append(event)
    return written


def _without_hands(event: Event) -> Event:
    if isinstance(event, CardsDealt):
        return CardsDealt(hands=(None,) * len(event.hands))
    if isinstance(event, CardsExchanged):
        return CardsExchanged(seat=event.seat, count=event.count)
    return event


def _with_aftermath(game: Game, events: Sequence[Event], chance: Random, lang: str) -> Iterator[Event]:
    """Yield the events with corrections and rulings after their deals."""
    version, opened = 0, events[0]
    assert isinstance(opened, TableOpened)
    about = _Table(game, len(opened.players), lang)
    for deal in _deals(events):
        added = _aftermath(about, deal, version, chance) if deal.number else iter(deal.events)
        for event in added:
            version += 1
            yield event


def _deals(events: Sequence[Event]) -> Iterator[_Deal]:
    starts = [0, *(at for at, event in enumerate(events) if isinstance(event, DealStarted))]
    for start, end in zip(starts, [*starts[1:], len(events)], strict=True):
        first = events[start]
        yield _Deal(first.deal if isinstance(first, DealStarted) else 0, events[start:end])


def _aftermath(table: _Table, deal: _Deal, before: int, chance: Random) -> Iterator[Event]:
    """Yield the events of a deal and its aftermath; `before`: the version of the entry before it."""
    *played, last = deal.events
    of_deal, after = (played, [last]) if isinstance(last, TableClosed | PlayerSeated) else (deal.events, [])
    slip = _slip(of_deal, chance) if chance.random() < _SLIP else None
    written = list(of_deal)
    if slip is not None:
        at, wrong = slip
        right, written[at] = written[at], wrong
        reason = phrase("seasons.slip").in_words(table.lang)
        written.append(Corrected(version=before + at + 1, action="replace", reason=reason, events=(_plain(right),)))
    if chance.random() < _QUARREL:
        written += _quarrel(table, deal.number, before + len(written) + 1, chance)
    yield from written
    yield from after


def _plain(event: Event) -> CardPlayed:
    assert isinstance(event, CardPlayed)
    return event


def _slip(events: Sequence[Event], chance: Random) -> tuple[int, CardPlayed] | None:
    """Return the index of a play, and the play recorded by mistake: a later card of the same seat."""
    plays = [(at, event) for at, event in enumerate(events) if isinstance(event, CardPlayed)]
    pairs = [
        (at, structs.replace(event, card=later.card))
        for place, (at, event) in enumerate(plays)
        for _, later in plays[place + 1 : place + 1 + 8]
        if later.seat == event.seat
    ]
    return chance.choice(pairs) if pairs else None


def _quarrel(table: _Table, deal: int, version: int, chance: Random) -> list[Event]:
    """Return a dispute and a ruling: the result is upheld, counters are moved, or the deal is voided."""
    disputed = DisputeRaised(deal=deal, text=phrase("seasons.dispute").in_words(table.lang))
    kinds: tuple[RulingKind, ...] = ("stands", "stands", "adjust", "void")
    kind = chance.choice([one for one in kinds if one in table.game.ruling_kinds])
    text = phrase(f"seasons.ruling_{kind}").in_words(table.lang)
    deltas = _moved(table.seats, chance) if kind == "adjust" else None
    return [disputed, RulingGiven(deal=deal, text=text, kind=kind, deltas=deltas, dispute=version)]


def _moved(seats: int, chance: Random) -> tuple[int, ...]:
    """Return deltas that move a few counters from one seat to another."""
    deltas, amount = [0] * seats, chance.randint(1, 5)
    one, other = chance.sample(range(seats), 2)
    deltas[one], deltas[other] = -amount, amount
    return tuple(deltas)
