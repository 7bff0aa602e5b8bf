"""The view of an Ombre deal (contract 5), for everyone or for one seat, and the legal moves."""

from __future__ import annotations

from ledger.cards import BIT, SUITS, UNKNOWN
from ledger.events import CardsExchanged, CardTurned
from ledger.games.kernel.moves import announcements, calls_of, namings, plays
from ledger.games.kernel.views import DealView, Moves
from ledger.games.ombre.opening_rules import seats_with_spadille
from ledger.games.ombre.state import OmbreState


def legal_of(state: OmbreState, seat: int | None) -> Moves:
    """Return the legal moves; with `seat`, those that this seat can know."""
    if state.phase == "auction":
        caller = state.auction.turn
        return () if caller is None else calls_of(caller, state.auction.legal())
    if state.phase == "trump":
        return _trump_moves(state, seat)
    if state.phase == "exchange":
        return _exchange_moves(state)
    return _play_moves(state, seat) if state.phase == "play" else ()


def _trump_moves(state: OmbreState, seat: int | None) -> Moves:
    if state.contract == "vuelta":
        top = state.stock[0]
        return () if top == UNKNOWN or seat is not None else (CardTurned(card=top),)
    is_favour = (state.auction.high_bid or "").endswith("_favour")
    return namings(_namers(state, seat), state.options.favourite_suit or "" if is_favour else SUITS)  # OMB-5.2


def _namers(state: OmbreState, seat: int | None) -> list[int]:
    """Return the seats that may have to name trumps. A forced Ombre becomes known only by doing so (OMB-4.21)."""
    if seat is not None and _hides_ombre(state, seat):
        own_is_hidden = state.holdings.hidden[seat] > 0
        return [other for other in state.active if other != seat or own_is_hidden]
    return seats_with_spadille(state) if state.ombre is None else [state.ombre]


def _hides_ombre(state: OmbreState, seat: int) -> bool:
    return state.auction.all_passed and state.phase == "trump" and seat != state.ombre


def _exchange_moves(state: OmbreState) -> Moves:
    exchange = state.exchange
    assert exchange is not None and exchange.turn is not None
    turn, most = exchange.turn, exchange.limit(len(state.stock))
    exchanges = [CardsExchanged(seat=turn, count=count) for count in range(most + 1)]
    return (*exchanges, *announcements([(turn, "yield_exchange")] if exchange.may_yield() else []))


def _play_moves(state: OmbreState, seat: int | None) -> Moves:
    play = state.play
    assert play is not None
    if play.pending_defenders:
        return announcements([(play.pending_defenders[0], "decline_defence"), (play.pending_defenders[0], "defend")])
    choices: list[tuple[int | None, str]] = []
    if play.may_stop():
        choices.append((play.ombre, "stop"))
    if play.may_surrender():
        choices.append((play.ombre, "surrender"))
    if play.deciding_winners():
        choices.extend([(active, "throw_in") for active in state.active])
    if play.turn is None or seat not in (None, play.turn):
        return announcements(choices)
    if seat is None:
        return announcements(choices) + plays(play.turn, play.playable(play.turn))
    turned = 0 if state.turned is None else BIT[state.turned] & ~play.known[seat]
    return announcements(choices) + plays(seat, play.playable_as_seen(seat, turned))


def turn_of(state: OmbreState) -> int | None:
    """Return the seat that is due, if any."""
    if state.phase == "auction":
        return state.auction.turn
    if state.phase == "trump":
        return state.ombre
    if state.phase == "exchange" and state.exchange is not None:
        return state.exchange.turn
    if state.phase == "play" and state.play is not None:
        return state.play.pending_defenders[0] if state.play.pending_defenders else state.play.turn
    return None


def view_of(state: OmbreState, seat: int | None) -> DealView:
    """Return the state of the deal; with `seat`, cards that this seat has not seen are `??`."""
    play, holdings = state.play, state.holdings
    hands = [holdings.shown(other) for other in range(state.seats)]
    stock = list(state.stock) if state.phase != "deal" else []
    turn, declarer = turn_of(state), state.ombre
    counts = play.counts if play is not None else state.recorded.tricks if state.recorded is not None else ()
    if seat is not None:
        hands = [hand if other == seat else _as_seen(hand, state.turned) for other, hand in enumerate(hands)]
        top_is_seen = bool(stock) and stock[0] == state.turned
        stock = [card if top_is_seen and not place else UNKNOWN for place, card in enumerate(stock)]
        if _hides_ombre(state, seat):
            turn = declarer = None
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
        trick_counts=list(counts or [0] * state.seats),
        card_points=[0] * state.seats,  # OMB-2.15
        legal=legal_of(state, seat),
    )


def _as_seen(hand: list[str], turned: str | None) -> list[str]:
    """Return another seat's hand: only the turned-up card is known to all."""
    seen = [card for card in hand if card == turned]
    return seen + [UNKNOWN] * (len(hand) - len(seen))
