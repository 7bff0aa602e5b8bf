"""An Ombre deal for showing: the state of contract 5, for all or as one seat could know it, and what is legal."""

from __future__ import annotations

from ledger.cards import BIT, SUITS, UNKNOWN
from ledger.games.kernel.views import DealView, Legal
from ledger.games.ombre.state import OmbreState


def legal_of(state: OmbreState, seat: int | None) -> Legal:
    """What may come next; with `seat`, as far as that seat could know. A type without a legal value is left out."""
    legal: Legal = {}
    if state.phase == "auction":
        legal["bid_made"] = state.auction.legal()
    elif state.phase == "trump":
        legal = _trump_legal(state, seat)
    elif state.phase == "exchange" and state.exchange is not None:
        legal["cards_exchanged"] = list(range(state.exchange.limit(len(state.stock)) + 1))
        if state.exchange.may_yield():
            legal["announced"] = ["yield_exchange"]
    elif state.phase == "play":
        legal = _play_legal(state, seat)
    return {kind: values for kind, values in legal.items() if values}


def _trump_legal(state: OmbreState, seat: int | None) -> Legal:
    if state.contract == "vuelta":
        top = state.stock[0]
        return {"card_turned": [] if top == UNKNOWN or seat is not None else [top]}
    if (state.auction.standing or "").endswith("_favour"):
        return {"trump_named": [state.options.favourite_suit]}  # OMB-5.2
    return {"trump_named": sorted(SUITS)}


def _play_legal(state: OmbreState, seat: int | None) -> Legal:
    play = state.play
    assert play is not None
    if play.asked:
        return {"announced": ["decline_defence", "defend"]}
    said = []
    if play.may_stop():
        said.append((play.ombre, "stop"))
    if play.may_surrender():
        said.append((play.ombre, "surrender"))
    if play.may_throw_in():
        said.extend((active, "throw_in") for active in state.active)
    legal: Legal = {"announced": sorted(word if who == play.turn else f"{who}:{word}" for who, word in said)}
    if play.turn is not None and seat is None:
        legal["card_played"] = play.playable(play.turn)
    elif play.turn is not None and seat == play.turn:
        turned = 0 if state.turned is None else BIT[state.turned] & ~play.known[seat]
        legal["card_played"] = play.playable_as_seen(seat, turned)
    return legal


def turn_of(state: OmbreState) -> int | None:
    """The seat that is due; None when nobody is."""
    if state.phase == "auction":
        return state.auction.turn
    if state.phase == "trump":
        return state.ombre
    if state.phase == "exchange" and state.exchange is not None:
        return state.exchange.turn
    if state.phase == "play" and state.play is not None:
        return state.play.asked[0] if state.play.asked else state.play.turn
    return None


def view_of(state: OmbreState, seat: int | None) -> DealView:
    """The state after the events so far; with `seat`, cards that it has not seen are `??`."""
    play, holdings = state.play, state.holdings
    hands = [holdings.shown(other) for other in range(state.seats)]
    stock = list(state.stock) if state.phase != "deal" else []
    turn, declarer = turn_of(state), state.ombre
    if seat is not None:
        hands = [hand if other == seat else _as_seen(hand, state.turned) for other, hand in enumerate(hands)]
        top_is_seen = bool(stock) and stock[0] == state.turned
        stock = [card if top_is_seen and not place else UNKNOWN for place, card in enumerate(stock)]
        if state.auction.all_passed and state.phase == "trump" and seat != state.ombre:
            turn = declarer = None  # who must play because of Spadille shows when trumps are named (OMB-4.21)
    return DealView(
        phase=state.phase,
        turn=turn,
        dealer=state.dealer,
        hands=hands,
        stock=stock,
        auction=[{"seat": caller, "call": call} for caller, call in state.auction.made],
        trump=state.trump,
        contract=state.contract,
        declarer=declarer,
        partner=None,
        tricks=[] if play is None else play.views(),
        trick_counts=list(play.counts) if play is not None else _recorded_counts(state),
        card_points=[0] * state.seats,  # OMB-2.15
        legal=legal_of(state, seat),
    )


def _as_seen(hand: list[str], turned: str | None) -> list[str]:
    """Another's hand: all have seen who drew the card that was turned up."""
    seen = [card for card in hand if card == turned]
    return seen + [UNKNOWN] * (len(hand) - len(seen))


def _recorded_counts(state: OmbreState) -> list[int]:
    if state.recorded is not None:
        return list(state.recorded.tricks)
    return [0] * state.seats
