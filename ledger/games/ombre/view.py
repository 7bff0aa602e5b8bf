"""An Ombre deal for showing: the state of contract 5, for all or as one seat could know it, and what is legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.cards import BIT, SUITS, UNKNOWN
from ledger.games.kernel.views import DealView, Legal

if TYPE_CHECKING:
    from ledger.games.ombre.deal import OmbreDeal


def legal_of(deal: OmbreDeal, seat: int | None) -> Legal:
    """What may come next; with `seat`, as far as that seat could know. A type without a legal value is left out."""
    legal: Legal = {}
    if deal.phase == "auction":
        legal["bid_made"] = deal.auction.legal()
    elif deal.phase == "trump":
        legal = _trump_legal(deal, seat)
    elif deal.phase == "exchange" and deal.exchange is not None:
        legal["cards_exchanged"] = list(range(deal.exchange.limit(len(deal.stock)) + 1))
        if deal.exchange.may_yield():
            legal["announced"] = ["yield_exchange"]
    elif deal.phase == "play":
        legal = _play_legal(deal, seat)
    return {kind: values for kind, values in legal.items() if values}


def _trump_legal(deal: OmbreDeal, seat: int | None) -> Legal:
    if deal.contract == "vuelta":
        top = deal.stock[0]
        return {"card_turned": [] if top == UNKNOWN or seat is not None else [top]}
    if (deal.auction.standing or "").endswith("_favour"):
        return {"trump_named": [deal.options.favourite_suit]}  # OMB-5.2
    return {"trump_named": sorted(SUITS)}


def _play_legal(deal: OmbreDeal, seat: int | None) -> Legal:
    play = deal.play
    assert play is not None
    if play.asked:
        return {"announced": ["decline_defence", "defend"]}
    said = []
    if play.may_stop():
        said.append((play.ombre, "stop"))
    if play.may_surrender():
        said.append((play.ombre, "surrender"))
    if play.may_throw_in():
        said.extend((active, "throw_in") for active in deal.active)
    legal: Legal = {"announced": sorted(word if who == play.turn else f"{who}:{word}" for who, word in said)}
    if play.turn is not None and seat is None:
        legal["card_played"] = play.playable(play.turn)
    elif play.turn is not None and seat == play.turn:
        turned = 0 if deal.turned is None else BIT[deal.turned] & ~play.known[seat]
        legal["card_played"] = play.playable_as_seen(seat, turned)
    return legal


def turn_of(deal: OmbreDeal) -> int | None:
    """The seat that is due; null when nobody is."""
    if deal.phase == "auction":
        return deal.auction.turn
    if deal.phase == "trump":
        return deal.ombre
    if deal.phase == "exchange" and deal.exchange is not None:
        return deal.exchange.turn
    if deal.phase == "play" and deal.play is not None:
        return deal.play.asked[0] if deal.play.asked else deal.play.turn
    return None


def view_of(deal: OmbreDeal, seat: int | None) -> DealView:
    """The state after the events so far; with `seat`, cards that it has not seen are `??`."""
    play, holdings = deal.play, deal.holdings
    hands = [holdings.shown(other) for other in range(deal.seats)]
    stock = list(deal.stock) if deal.phase != "deal" else []
    turn, declarer = turn_of(deal), deal.ombre
    if seat is not None:
        hands = [hand if other == seat else _as_seen(hand, deal.turned) for other, hand in enumerate(hands)]
        top_is_seen = bool(stock) and stock[0] == deal.turned
        stock = [card if top_is_seen and not place else UNKNOWN for place, card in enumerate(stock)]
        if deal.auction.all_passed and deal.phase == "trump" and seat != deal.ombre:
            turn = declarer = None  # who must play because of Spadille shows when trumps are named (OMB-4.21)
    return DealView(
        phase=deal.phase,
        turn=turn,
        dealer=deal.dealer,
        hands=hands,
        stock=stock,
        auction=[{"seat": caller, "call": call} for caller, call in deal.auction.made],
        trump=deal.trump,
        contract=deal.contract,
        declarer=declarer,
        partner=None,
        tricks=[] if play is None else play.views(),
        trick_counts=list(play.counts) if play is not None else _recorded_counts(deal),
        card_points=[0] * deal.seats,  # OMB-2.15
        legal=legal_of(deal, seat),
    )


def _as_seen(hand: list[str], turned: str | None) -> list[str]:
    """Another's hand: all have seen who drew the card that was turned up."""
    seen = [card for card in hand if card == turned]
    return seen + [UNKNOWN] * (len(hand) - len(seen))


def _recorded_counts(deal: OmbreDeal) -> list[int]:
    if deal.recorded is not None:
        return list(deal.recorded.tricks)
    return [0] * deal.seats
