"""A deal for showing: the state of contract 5, for all or as one seat could know it, and what is legal.

What a seat could know is found by reading the same deal again with that seat's own cards alone: nothing can leak from
hands that are not there.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import structs

from ledger.cards import UNKNOWN, texts_in
from ledger.events import CardsDealt
from ledger.games.kernel.views import DealView, Legal
from ledger.games.kop.hindsight import in_hindsight, replayed
from ledger.games.kop.pack import HAND, SEATS
from ledger.games.kop.play import Play
from ledger.games.kop.play_rules import may_stop
from ledger.games.kop.sides import declarer_and_partner, final_contract
from ledger.games.kop.state import PLAYING, KopState, Phase

_SHOWN: Final[dict[Phase, str]] = {
    "deal": "deal",
    "auction": "auction",
    "play": "play",
    "unscorable_play": "play",
    "settled": "settled",
    "unscorable_end": "settled",
    "left": "unscorable",
    "left_complete": "unscorable",
    "voided": "voided",
}
"""What a phase is called in contract 5."""


def legal_of(state: KopState) -> Legal:
    """What may come next; a type without a legal value is left out."""
    legal: Legal = {}
    if state.phase == "auction":
        legal["bid_made"] = state.auction.legal()
        if state.options.is_free:
            legal["announced"] = sorted(f"{state.leader}:{word}" for word in ("ask", "close_auction"))
            legal["card_played"] = sorted(texts_in(state.hands.possible(state.leader)))  # KOP-4.37
    elif state.phase in PLAYING and state.play is not None:
        play = state.play
        legal["announced"] = _said(state, play)
        if play.turn is not None:
            legal["card_played"] = play.playable(play.turn)
    return {kind: values for kind, values in legal.items() if values}


def _said(state: KopState, play: Play) -> list[str]:
    """A side may concede (KOP-6.17), the recorder may stop a lost du contract (KOP-6.15)."""
    said = ["stop"] if may_stop(state) else []
    if state.options.concessions:
        said.extend("concede" if seat == play.turn else f"{seat}:concede" for seat in range(SEATS))
    return sorted(said)


def turn_of(state: KopState) -> int | None:
    """The seat that is due; None when nobody is, as all through the free auction (KOP-4.33)."""
    if state.phase == "auction":
        return state.auction.turn
    return state.play.turn if state.phase in PLAYING and state.play is not None else None


def view_of(state: KopState, seat: int | None) -> DealView:
    """The state after the events so far; with `seat`, as far as that seat could know it."""
    if seat is None:
        return _view(state)
    view = _view(_as_seen_by(state, seat))
    hands = [hand if other == seat else [UNKNOWN] * len(hand) for other, hand in enumerate(view.hands)]
    legal = view.legal
    if "card_played" in legal and seat != (state.leader if state.phase == "auction" else view.turn):
        legal = {kind: values for kind, values in legal.items() if kind != "card_played"}
    return structs.replace(view, hands=hands, legal=legal)


def _as_seen_by(state: KopState, seat: int) -> KopState:
    """The deal with no hand known but the seat's own."""
    if state.phase == "deal":
        return state
    own = (*texts_in(state.hands.dealt[seat]), *[UNKNOWN] * state.hands.hidden(seat))
    hands = tuple(own if other == seat else (UNKNOWN,) * HAND for other in range(SEATS))
    seen, _ = replayed(state, CardsDealt(hands=hands))
    seen.end_second_reading()  # the seat, too, learns from the cards that appear
    if state.phase == "voided":
        seen.annul()
    return seen


def _view(state: KopState) -> DealView:
    play, phase = state.play, _SHOWN[state.phase]
    known = in_hindsight(state)
    contract: str | None = None
    declarer = partner = None
    declarers: tuple[int, ...] = ()
    if state.recorded is not None:
        contract = state.recorded.contract
        declarer, declarers = None, state.recorded.declarers
        if len(declarers) == 1:  # of two, a result does not tell who bid
            (declarer,), declarers = declarers, ()
    elif phase == "auction":
        contract, declarer = state.auction.contract, state.auction.bidder
    elif phase in ("play", "settled", "unscorable"):
        contract = final_contract(known.hands, known.auction.contract)
        declarer, partner = declarer_and_partner(known.hands, known.auction.contract, known.auction.bidder)
    return DealView(
        phase=phase,
        turn=turn_of(state),
        dealer=state.dealer,
        hands=[state.hands.shown(seat) if phase != "deal" else [] for seat in range(SEATS)],
        stock=[],  # KOP-3.6
        auction=[_call(*made) for made in state.auction.made],
        trump=None,
        contract=contract,
        declarer=declarer,
        partner=partner,
        tricks=[] if play is None else play.views(),
        trick_counts=[0] * SEATS if play is None else list(play.counts),
        card_points=[0] * SEATS if play is None else play.card_points(),
        legal=legal_of(state),
        declarers=declarers,
    )


def _call(seat: int, call: str, card: str | None) -> dict[str, Any]:
    return {"seat": seat, "call": call} if card is None else {"seat": seat, "call": call, "card": card}
