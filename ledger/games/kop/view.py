"""A deal for showing: the state of contract 5, for all or as one seat could know it, and what is legal.

What a seat could know is found by reading the same deal again with that seat's own cards alone: nothing can leak from
hands that are not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import structs

from ledger.cards import UNKNOWN, texts_in
from ledger.events import CardsDealt
from ledger.games.kernel.views import DealView, Legal
from ledger.games.kop.hindsight import in_hindsight, replayed
from ledger.games.kop.pack import HAND, SEATS
from ledger.games.kop.play import Play
from ledger.games.kop.play_rules import may_stop
from ledger.games.kop.sides import declarer_and_partner, final_contract

if TYPE_CHECKING:
    from ledger.games.kop.deal import KopDeal


def legal_of(deal: KopDeal) -> Legal:
    """What may come next; a type without a legal value is left out."""
    legal: Legal = {}
    if deal.phase == "auction":
        legal["bid_made"] = deal.auction.legal()
        if deal.options.is_free:
            legal["announced"] = sorted(f"{deal.leader}:{word}" for word in ("ask", "close_auction"))
            legal["card_played"] = sorted(texts_in(deal.hands.possible(deal.leader)))  # KOP-4.37
    elif deal.phase == "play" and deal.play is not None:
        play = deal.play
        legal["announced"] = _said(deal, play)
        if play.turn is not None:
            legal["card_played"] = play.playable(play.turn)
    return {kind: values for kind, values in legal.items() if values}


def _said(deal: KopDeal, play: Play) -> list[str]:
    """A side may concede (KOP-6.17), the recorder may stop a lost du contract (KOP-6.15)."""
    said = ["stop"] if may_stop(deal) else []
    if deal.options.concessions:
        said.extend("concede" if seat == play.turn else f"{seat}:concede" for seat in range(SEATS))
    return sorted(said)


def turn_of(deal: KopDeal) -> int | None:
    """The seat that is due; null when nobody is, as all through the free auction (KOP-4.33)."""
    if deal.phase == "auction":
        return deal.auction.turn
    return deal.play.turn if deal.phase == "play" and deal.play is not None else None


def view_of(deal: KopDeal, seat: int | None) -> DealView:
    """The state after the events so far; with `seat`, as far as that seat could know it."""
    if seat is None:
        return _view(deal)
    view = _view(_as_seen_by(deal, seat))
    hands = [hand if other == seat else [UNKNOWN] * len(hand) for other, hand in enumerate(view.hands)]
    legal = view.legal
    if "card_played" in legal and seat != (deal.leader if deal.phase == "auction" else view.turn):
        legal = {kind: values for kind, values in legal.items() if kind != "card_played"}
    return structs.replace(view, hands=hands, legal=legal)


def _as_seen_by(deal: KopDeal, seat: int) -> KopDeal:
    """The deal with no hand known but the seat's own."""
    if deal.phase == "deal":
        return deal
    own = (*texts_in(deal.hands.dealt[seat]), *[UNKNOWN] * deal.hands.hidden(seat))
    hands = tuple(own if other == seat else (UNKNOWN,) * HAND for other in range(SEATS))
    seen, _ = replayed(deal, CardsDealt(hands=hands))
    seen.is_hindsight = False  # the seat, too, learns from the cards that appear
    if deal.phase == "voided":
        seen.void(0)
    return seen


def _view(deal: KopDeal) -> DealView:
    play, phase = deal.play, deal.phase
    known = in_hindsight(deal)
    contract: str | None = None
    declarer = partner = None
    if deal.recorded is not None:
        contract = deal.recorded.contract
        declarer, *second = deal.recorded.declarers
        partner = second[0] if second else None
    elif phase == "auction":
        contract, declarer = deal.auction.contract, deal.auction.bidder
    elif phase in ("play", "settled", "unscorable"):
        contract = final_contract(known.hands, known.auction.contract)
        declarer, partner = declarer_and_partner(known.hands, known.auction.contract, known.auction.bidder)
    return DealView(
        phase=phase,
        turn=turn_of(deal),
        dealer=deal.dealer,
        hands=[deal.hands.shown(seat) if phase != "deal" else [] for seat in range(SEATS)],
        stock=[],  # KOP-3.6
        auction=[_call(*made) for made in deal.auction.made],
        trump=None,
        contract=contract,
        declarer=declarer,
        partner=partner,
        tricks=[] if play is None else play.views(),
        trick_counts=[0] * SEATS if play is None else list(play.counts),
        card_points=[0] * SEATS if play is None else play.card_points(),
        legal=legal_of(deal),
    )


def _call(seat: int, call: str, card: str | None) -> dict[str, Any]:
    return {"seat": seat, "call": call} if card is None else {"seat": seat, "call": call, "card": card}
