"""The rows of one deal's events: what was called, said, exchanged and played. What it came to is in `table_rows`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias, cast

from ledger.events import Announced, BidMade, CardPlayed, CardsExchanged
from ledger.games.protocol import TrickView
from ledger.history.rows import AnnouncementRow, CallRow, ExchangeRow, HistoryRow, PlayRow, TrickRow
from ledger.reading import Entry

Rows: TypeAlias = defaultdict[type[HistoryRow], list[Any]]
"""The rows made so far, by their type."""

LaidCard: TypeAlias = tuple[int, str, int, int, int | None]
"""A card that counts in a trick: seat, card, trick, place in it, winner of the trick."""


def collect_actions(
    rows: Rows,
    table: str,
    deal: int,
    players: Sequence[str],
    entries: Sequence[Entry],
    positions: Sequence[int],
    tricks: Sequence[TrickView],
) -> int:
    """Adds the rows of one deal's entries, and answers how many cards were played.

    `positions`: the log position of each version of the table's record, version 1 first. `tricks`: as the deal's state
    machine has them; a card that counts for nothing is in none of them.
    """
    calls: list[CallRow] = []
    words: list[AnnouncementRow] = []
    exchanges: list[ExchangeRow] = []
    plays: list[PlayRow] = []
    laid = _laid_cards(tricks)
    awaited = next(laid, None)
    for version, event in entries:
        kind = type(event)  # isinstance costs ten times as much on Structs
        position = positions[version - 1]
        if kind is CardPlayed:
            play = cast(CardPlayed, event)
            seat, card = play.seat, play.card
            trick = place = winner = None
            if awaited is not None and awaited[0] == seat and awaited[1] == card:
                _, _, trick, place, winner = awaited
                awaited = next(laid, None)
            number = len(plays) + 1
            plays.append(
                PlayRow(table, deal, number, trick, place, seat, players[seat], card, winner, version, position)
            )
        elif kind is BidMade:
            calls.append(_call(table, deal, len(calls) + 1, players, version, position, cast(BidMade, event)))
        elif kind is Announced:
            words.append(_announcement(table, deal, len(words) + 1, players, version, position, cast(Announced, event)))
        elif kind is CardsExchanged:
            exchanges.append(
                _exchange(table, deal, len(exchanges) + 1, players, version, position, cast(CardsExchanged, event))
            )
    rows[CallRow] += calls
    rows[AnnouncementRow] += words
    rows[ExchangeRow] += exchanges
    rows[PlayRow] += plays
    rows[TrickRow] += [
        TrickRow(
            table,
            deal,
            number,
            trick.leader,
            players[trick.leader],
            " ".join(trick.cards),
            trick.winner,
            None if trick.winner is None else players[trick.winner],
        )
        for number, trick in enumerate(tricks, start=1)
    ]
    return len(plays)


def _laid_cards(tricks: Sequence[TrickView]) -> Iterator[LaidCard]:
    """The cards that count, in the order in which they were laid."""
    for number, trick in enumerate(tricks, start=1):
        winner = trick.winner
        for place, seat in enumerate(trick.seats):
            yield seat, trick.cards[place], number, place + 1, winner


def _call(
    table: str, deal: int, number: int, players: Sequence[str], version: int, position: int, event: BidMade
) -> CallRow:
    return CallRow(
        table_name=table,
        deal=deal,
        number=number,
        seat=event.seat,
        player=players[event.seat],
        call=event.call,
        card=event.card,
        version=version,
        log_position=position,
    )


def _announcement(
    table: str, deal: int, number: int, players: Sequence[str], version: int, position: int, event: Announced
) -> AnnouncementRow:
    return AnnouncementRow(
        table_name=table,
        deal=deal,
        number=number,
        seat=event.seat,
        player=None if event.seat is None else players[event.seat],
        word=event.what,
        for_seats=event.seats,
        version=version,
        log_position=position,
    )


def _exchange(
    table: str, deal: int, number: int, players: Sequence[str], version: int, position: int, event: CardsExchanged
) -> ExchangeRow:
    return ExchangeRow(
        table_name=table,
        deal=deal,
        number=number,
        seat=event.seat,
        player=players[event.seat],
        card_count=event.count,
        discarded=None if event.discarded is None else " ".join(event.discarded),
        drawn=None if event.drawn is None else " ".join(event.drawn),
        version=version,
        log_position=position,
    )
