"""The cards held in a deal and their values, by hand: from its events, and the orders as the rulebooks list them."""

from collections.abc import Sequence
from typing import NamedTuple

from ledger.events import Announced, CardsDealt, CardsExchanged
from tests.history.season import DealFacts

_SUITS = "SHDC"
_KOP = {
    "standard": ["HA HT CQ SQ HQ DQ CJ SJ HJ DJ DA DT", "CA CT", "SA ST"],
    "new": ["HA CT ST HT CQ SQ HQ DQ CJ SJ HJ DJ DA DT", "CA", "SA"],
    "jacks": ["CJ SJ HJ DJ", "CA CT CQ", "SA ST SQ", "HA HT HQ", "DA DT DQ"],
}
_POINTS = {"couillon": {"A": 4, "K": 3, "Q": 2, "J": 1}, "kop": {"A": 11, "T": 10, "Q": 3, "J": 2}}


class Fact(NamedTuple):
    is_trump: bool | None = None
    is_matador: bool | None = None
    rank: int | None = None
    points: int | None = None


class Held(NamedTuple):
    """The facts about a card that a seat held in a deal."""

    player: str
    origin: str | None
    fate: str | None
    trick: int | None
    fact: Fact


def cards_held(deal: DealFacts) -> dict[tuple[int, str], Held]:
    """Return the held cards by seat and card, of a deal whose hands and stock are recorded in full."""
    dealt = deal.of(CardsDealt)
    if not dealt:
        return {}
    hands, stock = [list(hand) for hand in dealt[0].hands], list(dealt[0].stock or ())
    came = {(seat, card): "dealt" for seat, hand in enumerate(hands) for card in hand}
    went: dict[tuple[int, str], tuple[str, int | None]] = {}
    for exchange in deal.of(CardsExchanged):
        for card in exchange.discarded:
            went[exchange.seat, card] = ("put_aside", None)
        for card in stock[: exchange.count]:
            came[exchange.seat, card] = "drawn"
        del stock[: exchange.count]
    for number, trick in enumerate(deal.view.tricks, start=1):
        for seat, card in zip(trick.seats, trick.cards, strict=True):
            went[seat, card] = ("played", number)
    return {
        (seat, card): Held(deal.players[seat], origin, *went.get((seat, card), ("kept", None)), fact(deal, card))
        for (seat, card), origin in came.items()
    }


def hands_after_exchange(deal: DealFacts) -> list[set[str]]:
    """Return the hands by seat, of such a deal."""
    held = cards_held(deal)
    seats = range(len(deal.players))
    return [{card for (at, card), one in held.items() if at == seat and one.fate != "put_aside"} for seat in seats]


def fact(deal: DealFacts, card: str) -> Fact:
    """Return the card's value under the deal's trumps; nothing if no trumps were named."""
    if not deal.view.tricks:
        return Fact()
    game = "kop" if deal.table.game == "baska" else deal.table.game
    trumps, *others = _suits(deal)
    suit = next(cards for cards in (trumps, *others) if card in cards)
    return Fact(
        is_trump=suit is trumps,
        is_matador=card in trumps[:3] if game in ("ombre", "quadrille") else None,
        rank=suit.index(card) + 1,
        points=_POINTS[game].get(card[1], 0) if game in _POINTS else None,
    )


def _suits(deal: DealFacts) -> list[Sequence[str]]:
    """Return the suits, each high to low, that of the trumps first."""
    trump = deal.view.trump
    match deal.table.game:
        case "ombre" | "quadrille":
            low = "KQJ76543" if trump in "SC" else "AKQJ23456"
            manille = trump + ("2" if trump in "SC" else "7")
            plain = {suit: "KQJ765432" if suit in "SC" else "KQJA234567" for suit in _SUITS if suit != trump}
            return [["SA", manille, "CA", *(trump + rank for rank in low)], *_plain(plain)]
        case "couillon":
            ranks = dict.fromkeys(_SUITS, "AKQJT987")
            suits = dict(zip(ranks, _plain(ranks), strict=True))
            if any(said.what == "mit" for said in deal.of(Announced)):
                suits["S"].remove("SQ")
                suits[trump].insert(1, "SQ")
            return [suits.pop(trump), *suits.values()]
        case _:
            new = deal.table.fold.options.new_trumps
            scheme = "jacks" if deal.contract in ("grand", "grand_du") else "new" if new else "standard"
            return [cards.split() for cards in _KOP[scheme]]


def _plain(ranks: dict[str, str]) -> list[list[str]]:
    return [[suit + rank for rank in high_to_low] for suit, high_to_low in ranks.items()]
