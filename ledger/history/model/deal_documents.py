"""The events of one deal as lists: dealt, called, announced, exchanged and played cards, and the tricks they made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct

from ledger.events import (
    GAME_ACTION_TYPES,
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    PartnerCalled,
    ResultRecorded,
    RulingGiven,
)
from ledger.games.kernel.protocol import DealSummary
from ledger.games.kernel.views import DealView, TrickView
from ledger.table.corrections import Entry
from ledger.table.fold import SCORING_KINDS, DealRecord, TableFold

NONE_CALLED: Final = "none"
"""Placeholder for a called card: the player said that none could be called (QUA-5.8)."""

Lists: TypeAlias = dict[str, Any]
"""Fields of a `DealDocument` by name."""


def actions(entries: Sequence[Entry], view: DealView, seat_count: int) -> Lists:
    """Return the fields that the entries of one deal fill, given the final `view` of its state machine."""
    tricks = view.tricks
    play_versions: list[int] = []
    plays: list[CardPlayed] = []
    others: list[Entry] = []
    for version, event in entries:
        if type(event) is CardPlayed:  # nine events in ten
            play_versions.append(version)
            plays.append(event)
        else:
            others.append((version, event))
    calls = [(version, event) for version, event in others if type(event) is BidMade]
    said = [(version, event) for version, event in others if type(event) is Announced]
    exchanges = [(version, event) for version, event in others if type(event) is CardsExchanged]
    dealt = next((event for _, event in others if type(event) is CardsDealt), None)  # a second dealing voids the deal
    # a second call and those of other seats are void (QUA-11.22, 11.24)
    called = [event.card for _, event in others if type(event) is PartnerCalled and view.declarer in (None, event.seat)]
    kinds = {type(event) for _, event in others}
    is_recorded = bool(plays) or (ResultRecorded not in kinds and not kinds.isdisjoint(GAME_ACTION_TYPES))
    return {
        "called_card": (called[0] or NONE_CALLED) if called else None,
        "hands": [] if dealt is None else [_blanked(hand) for hand in dealt.hands],
        "left_in_hand": _left_in_hand(view.hands) if plays or dealt is not None else [],
        "stock": None if dealt is None else _blanked(dealt.stock),
        "call_versions": [version for version, _ in calls],
        "call_seats": [call.seat for _, call in calls],
        "call_words": [call.call for _, call in calls],
        "call_cards": [call.card for _, call in calls],
        "said_versions": [version for version, _ in said],
        "said_seats": [announced.seat for _, announced in said],
        "said_words": [announced.what for _, announced in said],
        "said_for": [announced.seats for _, announced in said],
        "exchange_versions": [version for version, _ in exchanges],
        "exchange_seats": [exchange.seat for _, exchange in exchanges],
        "exchange_counts": [exchange.count for _, exchange in exchanges],
        "exchange_discarded": [_blanked(exchange.discarded) for _, exchange in exchanges],
        "exchange_drawn": [_blanked(exchange.drawn) for _, exchange in exchanges],
        "play_versions": play_versions,
        "play_counts": _counts(plays, seat_count) if is_recorded else None,
        **_plays(plays, tricks),
        "trick_leaders": [trick.leader for trick in tricks],
        "trick_cards": [" ".join(trick.cards) for trick in tricks],
        "trick_winners": [trick.winner for trick in tricks],
    }


def _left_in_hand(hands: Sequence[Sequence[str]]) -> list[str]:
    """Return the cards of each seat at the end; an empty list if all were played."""
    return list(map(" ".join, hands)) if any(hands) else []


def _counts(plays: Sequence[CardPlayed], seat_count: int) -> list[int]:
    seats = [play.seat for play in plays]
    return [seats.count(seat) for seat in range(seat_count)]


def _plays(plays: Sequence[CardPlayed], tricks: Sequence[TrickView]) -> Lists:
    """Return the cards in the order played, each with its place in a trick; a card that counts for nothing has none."""
    seats = [play.seat for play in plays]
    cards = [play.card for play in plays]
    laid_seats = [seat for trick in tricks for seat in trick.seats]
    laid_cards = [card for trick in tricks for card in trick.cards]
    numbers: list[int | None] = [number for number, trick in enumerate(tricks, start=1) for _ in trick.seats]
    places: list[int | None] = [place for trick in tricks for place in range(1, len(trick.seats) + 1)]
    winners = [trick.winner for trick in tricks for _ in trick.seats]
    if seats != laid_seats or cards != laid_cards:
        for index, card in enumerate(zip(seats, cards, strict=True)):
            if index >= len(laid_seats) or card != (laid_seats[index], laid_cards[index]):
                laid_seats.insert(index, card[0])
                laid_cards.insert(index, card[1])
                for column in (numbers, places, winners):
                    column.insert(index, None)
    return {
        "play_seats": seats,
        "play_cards": cards,
        "play_tricks": numbers[: len(plays)],
        "play_places": places[: len(plays)],
        "play_winners": winners[: len(plays)],
    }


def _blanked(cards: Sequence[str] | None) -> str | None:
    """Return the cards with blanks between, as the read model has them."""
    return None if cards is None else " ".join(cards)


class RuledDeal(Struct, frozen=True):
    """The result of a deal after rulings.

    `amounts` by seat include all adjustments; `is_ruled`: a ruling changed them or the winner; `seats_won` by seat is
    empty in games without fixed teams, where the amounts show it.
    """

    is_ruled: bool
    amounts: list[int]
    declarer_won: bool | None
    seats_won: list[bool | None]


def after_rulings(
    fold: TableFold, record: DealRecord, summary: DealSummary | None, adjustments: Sequence[RulingGiven]
) -> RuledDeal:
    """Return the result of a settled deal after rulings.

    `summary`: of its outcome, if it was scored; `adjustments`: those carried out.
    """
    assert record.settlement is not None
    deltas = record.settlement.deltas
    amounts = list(deltas)
    for ruling in adjustments:
        for seat, amount in enumerate(ruling.deltas or ()):
            amounts[seat] += amount
    scoring = _scoring_ruling(fold, record)
    award = None if scoring is None else scoring.award
    computed_winner = getattr(record.outcome, "winner", None)
    winner = computed_winner if award is None else award.winner
    is_ruled = amounts != deltas or winner != computed_winner or (scoring is not None and deltas != record.computed)
    teams = fold.game.teams
    if award is not None:
        declarer_won = None if summary is None or summary.declarer is None else summary.declarer % teams == winner
    else:
        declarer_won = None if summary is None or is_ruled else summary.won
    seats_won: list[bool | None] = []
    if teams:
        if award is None and not hasattr(record.outcome, "winner"):
            winner = _leading_team(amounts, teams)
        seats_won = [None if winner is None else seat % teams == winner for seat in range(len(deltas))]
    return RuledDeal(is_ruled, amounts, declarer_won, seats_won)


def _leading_team(amounts: Sequence[int], teams: int) -> int | None:
    """Return the team with the most points in a deal whose outcome names no winner; None if several share them."""
    made = [sum(amounts[team::teams]) for team in range(teams)]
    return made.index(max(made)) if made.count(max(made)) == 1 else None


def _scoring_ruling(fold: TableFold, record: DealRecord) -> RulingGiven | None:
    """Return the ruling in force that scored the deal; None if the rules of the game did."""
    decision = record.decision()
    if decision is None or record.status != "complete":
        return None
    ruling = decision[1].ruling
    return ruling if ruling.kind in SCORING_KINDS & fold.game.ruling_kinds else None
