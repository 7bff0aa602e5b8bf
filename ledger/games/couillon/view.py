"""A Couillon deal for showing: the state of contract 5, for all or as one seat could know it, and what is legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from ledger.cards import SUITS, UNKNOWN
from ledger.events import CardsDealt, Event
from ledger.games.couillon.dealing import read_deal
from ledger.games.couillon.outcome import contract_of
from ledger.games.couillon.pack import POINTS
from ledger.games.couillon.play import Play
from ledger.games.couillon.trumps import UPCARD_CALLS
from ledger.games.kernel.views import DealView, Legal

if TYPE_CHECKING:
    from ledger.games.couillon.deal import CouillonDeal


def phase_of(deal: CouillonDeal) -> str:
    """deal, auction, trump, play, settled or voided."""
    if deal.status == "voided":
        return "voided"
    if deal.recorded is not None or (deal.play is not None and deal.play.is_over):
        return "settled"
    if deal.play is not None:
        return "play"
    if not deal.was_dealt:
        return "deal"
    return "trump" if deal.trumps.is_naming or deal.trumps.awaits_card() else "auction"


def legal_of(deal: CouillonDeal) -> Legal:
    """What may come next. A type without a legal value is left out."""
    phase = phase_of(deal)
    legal: Legal = {}
    if deal.is_left:
        return legal
    if phase == "auction":
        legal["bid_made"] = list(UPCARD_CALLS)
    elif phase == "trump":
        legal = _trump_legal(deal)
    elif phase == "play":
        legal = _play_legal(deal)
    return {kind: values for kind, values in legal.items() if values}


def _trump_legal(deal: CouillonDeal) -> Legal:
    trumps = deal.trumps
    if not trumps.awaits_card():
        return {"bid_made": ["defer"], "trump_named": sorted(SUITS)}
    if trumps.is_naming:
        hand, place = deal.hands[trumps.forehand], deal.form.first
        due = UNKNOWN if hand is None or len(hand) <= place else hand[place]
    else:
        due = deal.stock[0] if trumps.upcard is None and trumps.caller() is not None else deal.stock[-1]
    return {"card_turned": [] if due == UNKNOWN else [due]}


def _play_legal(deal: CouillonDeal) -> Legal:
    play = deal.play
    assert play is not None
    said = deal.raises.possible(deal)
    if deal.options.concession == "rest" and play.may_concede():
        said.extend((seat, "concede") for seat in range(deal.seats))
    legal: Legal = {"announced": sorted(word if seat == play.turn else f"{seat}:{word}" for seat, word in said)}
    if play.turn is not None:
        legal["card_played"] = play.playable(play.turn)
    return legal


def turn_of(deal: CouillonDeal) -> int | None:
    """The seat that is due; null when nobody is. Cards are turned by the dealer."""
    phase = phase_of(deal)
    if phase in ("auction", "trump"):
        return deal.dealer if deal.trumps.awaits_card() else deal.trumps.caller()
    return deal.play.turn if phase == "play" and deal.play is not None else None


def view_of(deal: CouillonDeal, seat: int | None) -> DealView:
    """The state after the events so far; with `seat`, cards that it has not seen are `??`.

    What a seat could know is what the same deal would be if only that had been recorded which the seat has seen.
    """
    if seat is None:
        return _view(deal)
    seen = _as_seen_by(deal, seat)
    view = _view(seen)
    legal = view.legal
    if "card_played" in legal and view.turn != seat:
        del legal["card_played"]
    if "announced" in legal:
        own = "mit" if view.turn == seat else f"{seat}:mit"  # who else holds SQ nobody can see
        said = [text for text in legal["announced"] if text.rpartition(":")[2] != "mit" or text == own]
        legal = legal | {"announced": said}
        view = structs.replace(view, legal={kind: values for kind, values in legal.items() if values})
    return view


def _as_seen_by(deal: CouillonDeal, seat: int) -> CouillonDeal:
    """The deal with nothing recorded but what the seat has seen and heard."""
    seen = type(deal)(deal.options, deal.seats, deal.dealer)
    played = 0
    for place, event, version in deal.told:
        played = _lay(seen, deal.play, played, place)
        seen.apply(_masked(deal, event, seat) if isinstance(event, CardsDealt) else event, version)
    if deal.play is not None:
        _lay(seen, deal.play, played, len(deal.play.cards))
    if deal.status == "voided":
        seen.void(0)
    seen.is_left = deal.is_left
    return seen


def _lay(seen: CouillonDeal, play: Play | None, start: int, end: int) -> int:
    """Lays the cards from one place of the play to another."""
    for place in range(start, end):
        assert play is not None
        version, event = play.log[place]
        seen.apply(event, version)
    return end


def _masked(deal: CouillonDeal, event: CardsDealt, seat: int) -> Event:
    """The cards as the seat saw them dealt: forehand decides after his first packet, before any other (COU-4.10)."""
    dealt = read_deal(event, deal.form, deal.dealer)
    trumps = deal.trumps
    is_pending = trumps.is_naming and not trumps.is_decided and deal.play is None and deal.recorded is None
    own = 0 if is_pending else deal.form.hand
    if is_pending and seat == trumps.forehand:
        own = deal.form.first
    hands: list[tuple[str, ...] | None] = []
    for other, hand in enumerate(dealt.hands):
        count = own if other == seat else 0
        if hand is not None and other == seat and not is_pending:
            count = len(hand)
        hands.append(None if hand is None else (*hand[:count], *[UNKNOWN] * (len(hand) - count)))
    stock = None if dealt.stock is None else (UNKNOWN,) * len(dealt.stock)
    return CardsDealt(hands=tuple(hands), stock=stock)


def _view(deal: CouillonDeal) -> DealView:
    play, trumps, raises, recorded = deal.play, deal.trumps, deal.raises, deal.recorded
    is_fixed = trumps.suit is not None or recorded is not None
    contract = None
    if recorded is not None:
        contract = contract_of(recorded.mit, recorded.kontra, recorded.re)
    elif is_fixed:
        contract = contract_of(raises.mit is not None, raises.kontra is not None, raises.re is not None)
    return DealView(
        phase=phase_of(deal),
        turn=turn_of(deal),
        dealer=deal.dealer,
        hands=[deal.holdings.shown(seat) for seat in range(deal.seats)],
        stock=list(deal.stock) if deal.was_dealt else [],
        auction=[{"seat": seat, "call": call} for seat, call in trumps.calls],
        trump=trumps.suit,
        contract=contract,
        declarer=trumps.maker,
        partner=None,  # the teams are fixed (COU-2.7)
        tricks=[] if play is None else play.views(),
        trick_counts=[0] * deal.seats if play is None else list(play.counts),
        card_points=[0] * deal.seats if play is None else play.worth_by_seat(POINTS),
        legal=legal_of(deal),
    )
