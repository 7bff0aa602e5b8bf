"""A deal for display: the state of contract 5, complete or as one seat could know it, and the legal moves.

The view of a seat comes from reading the deal again with that seat's own cards alone: hands that are not there cannot
leak.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

from msgspec import structs

from ledger.cards import UNKNOWN, texts_in
from ledger.events import Announced, CardPlayed, CardsDealt
from ledger.games.kernel.moves import announcements, plays
from ledger.games.kernel.views import DealView, Moves
from ledger.games.kop.facts import in_hindsight, replayed
from ledger.games.kop.hands import declarer_and_partner, final_contract
from ledger.games.kop.pack import HAND, SEATS
from ledger.games.kop.play_rules import may_be_a_side, may_stop
from ledger.games.kop.state import PLAYING, KopState

_SIDES: Final = tuple(side for size in range(1, SEATS) for side in combinations(range(SEATS), size))


def legal_of(state: KopState, seat: int | None) -> Moves:
    """Return the legal moves; with `seat`, as far as that seat could know."""
    return _moves(state) if seat is None else _moves_of(_as_seen_by(state, seat), seat)


def _moves_of(seen: KopState, seat: int) -> Moves:
    """Return the moves without the cards of other seats."""
    return tuple([move for move in _moves(seen) if type(move) is not CardPlayed or move.seat == seat])


def _moves(state: KopState) -> Moves:
    if state.phase == "auction":
        return _auction_moves(state)
    play = state.play
    if state.phase not in PLAYING or play is None:
        return ()
    said = _concessions(state) if state.options.concessions else ()
    if may_stop(state):
        said += (Announced(seat=play.turn, what="stop"),)  # by the recorder, for the seat due
    return said if play.turn is None else said + plays(play.turn, play.playable(play.turn))


def _auction_moves(state: KopState) -> Moves:
    leader, calls = state.leader, state.auction.moves()
    if not state.options.is_free:
        return calls
    said = announcements([(leader, "ask"), (leader, "close_auction")])
    return calls + said + plays(leader, texts_in(state.hands.possible(leader)))  # KOP-4.37


def _concessions(state: KopState) -> Moves:
    """Return the concessions: each seat with every side that it may be on (KOP-6.17)."""
    sides = [side for side in _SIDES if may_be_a_side(state, side)]
    return tuple([Announced(seat=seat, what="concede", seats=side) for side in sides for seat in side])


def turn_of(state: KopState) -> int | None:
    """Return the seat that has to act; None if there is none, as in the free auction (KOP-4.33)."""
    if state.phase == "auction":
        return state.auction.turn
    return state.play.turn if state.phase in PLAYING and state.play is not None else None


def view_of(state: KopState, seat: int | None) -> DealView:
    """Return the state after the events so far; with `seat`, as far as that seat could know it."""
    if seat is None:
        return _view(state, _moves(state))
    seen = _as_seen_by(state, seat)
    view = _view(seen, _moves_of(seen, seat))
    hands = [hand if other == seat else [UNKNOWN] * len(hand) for other, hand in enumerate(view.hands)]
    return structs.replace(view, hands=hands)


def _as_seen_by(state: KopState, seat: int) -> KopState:
    """Return the deal with no known hand but the seat's own."""
    if state.phase == "deal":
        return state
    own = (*texts_in(state.hands.dealt[seat]), *[UNKNOWN] * state.hands.hidden(seat))
    hands = tuple(own if other == seat else (UNKNOWN,) * HAND for other in range(SEATS))
    seen, _ = replayed(state, CardsDealt(hands=hands))
    seen.end_second_reading()  # the seat also learns from cards played
    if state.phase == "voided":
        seen.annul()
    return seen


def _view(state: KopState, legal: Moves) -> DealView:
    play, phase = state.play, state.phase_shown
    known = in_hindsight(state)
    contract: str | None = None
    declarer = partner = None
    declarers: tuple[int, ...] = ()
    if state.recorded is not None:
        contract = state.recorded.contract
        declarer, declarers = None, state.recorded.declarers
        if len(declarers) == 1:  # a result does not show which of two bid
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
        legal=legal,
        declarers=declarers,
    )


def _call(seat: int, call: str, card: str | None) -> dict[str, Any]:
    return {"seat": seat, "call": call} if card is None else {"seat": seat, "call": call, "card": card}
