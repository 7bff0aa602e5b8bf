"""A deal for display: the state of contract 5, complete or as one seat could know it, and the legal moves."""

from __future__ import annotations

from ledger.cards import SUITS, UNKNOWN
from ledger.events import Announced, CardPlayed, CardsDealt, CardTurned, Event
from ledger.games.couillon.calls import UPCARD_CALLS
from ledger.games.couillon.dealing_rules import read_deal
from ledger.games.couillon.outcome import contract_of
from ledger.games.couillon.pack import POINTS
from ledger.games.couillon.play import CouillonPlay
from ledger.games.couillon.play_rules import possible_raises
from ledger.games.couillon.state import CouillonState
from ledger.games.kernel.moves import announcements, calls_of, namings, plays
from ledger.games.kernel.views import DealView, Moves


def phase_shown(state: CouillonState) -> str:
    """Return the phase; `auction` while the upcard is offered from seat to seat (COU-4.2)."""
    if state.phase != "trump" or state.trumps.is_naming or state.trumps.awaits_card():
        return state.phase
    return "auction"


def legal_of(state: CouillonState, seat: int | None) -> Moves:
    """Return the legal moves; with `seat`, as far as that seat could know."""
    return _moves(state) if seat is None else _moves_of(_as_seen_by(state, seat), seat)


def _moves_of(seen: CouillonState, seat: int) -> Moves:
    """Return the moves without the cards of other seats, and without their calls of `mit`, which show SQ."""
    return tuple([move for move in _moves(seen) if not _shows_hand(move) or getattr(move, "seat", None) == seat])


def _shows_hand(move: Event) -> bool:
    return type(move) is CardPlayed or (type(move) is Announced and move.what == "mit")


def _moves(state: CouillonState) -> Moves:
    phase = phase_shown(state)
    if state.is_left:
        return ()
    if phase == "auction":
        caller = state.trumps.caller()
        return () if caller is None else calls_of(caller, UPCARD_CALLS)
    if phase == "trump":
        return _trump_moves(state)
    return _play_moves(state) if phase == "play" else ()


def _trump_moves(state: CouillonState) -> Moves:
    trumps = state.trumps
    if not trumps.awaits_card():
        return calls_of(trumps.forehand, ["defer"]) + namings([trumps.forehand], SUITS)
    if trumps.is_naming:
        hand, place = state.hands[trumps.forehand], state.form.first
        due = UNKNOWN if hand is None or len(hand) <= place else hand[place]
    else:
        due = state.stock[0] if trumps.upcard is None and trumps.caller() is not None else state.stock[-1]
    return () if due == UNKNOWN else (CardTurned(card=due),)


def _play_moves(state: CouillonState) -> Moves:
    play = state.play
    assert play is not None
    said = possible_raises(state)
    if state.options.concession == "rest" and play.may_concede():
        said.extend((seat, "concede") for seat in range(state.seats))
    return announcements(said) + (() if play.turn is None else plays(play.turn, play.playable(play.turn)))


def turn_of(state: CouillonState) -> int | None:
    """Return the seat that has to act, or None. The dealer turns cards."""
    phase = phase_shown(state)
    if phase in ("auction", "trump"):
        return state.dealer if state.trumps.awaits_card() else state.trumps.caller()
    return state.play.turn if phase == "play" and state.play is not None else None


def view_of(state: CouillonState, seat: int | None) -> DealView:
    """Return the state after the events so far; with `seat`, cards that it has not seen are `??`.

    The view of a seat is the state of the same deal with nothing recorded but what that seat has seen.
    """
    if seat is None:
        return _view(state, _moves(state))
    seen = _as_seen_by(state, seat)
    return _view(seen, _moves_of(seen, seat))


def _as_seen_by(state: CouillonState, seat: int) -> CouillonState:
    """Return the deal with nothing recorded but what the seat has seen and heard."""
    seen = type(state)(state.options, state.seats, state.dealer)
    played = 0
    for place, event, version in state.events:
        played = _lay(seen, state.play, played, place)
        seen.apply(_masked(state, event, seat) if isinstance(event, CardsDealt) else event, version)
    if state.play is not None:
        _lay(seen, state.play, played, len(state.play.cards))
    if state.phase == "voided":
        seen.void(0)
    if state.is_left:
        seen.abandon()
    return seen


def _lay(seen: CouillonState, play: CouillonPlay | None, start: int, end: int) -> int:
    """Lay the cards from one place of the play to another."""
    for place in range(start, end):
        assert play is not None
        version, event = play.log[place]
        seen.apply(event, version)
    return end


def _masked(state: CouillonState, event: CardsDealt, seat: int) -> Event:
    """Return the cards as the seat saw them dealt; forehand decides after its first packet (COU-4.10)."""
    dealt = read_deal(event, state.form, state.dealer)
    trumps = state.trumps
    is_pending = trumps.is_naming and not trumps.is_decided and state.play is None and state.recorded is None
    own = 0 if is_pending else state.form.hand
    if is_pending and seat == trumps.forehand:
        own = state.form.first
    hands: list[tuple[str, ...] | None] = []
    for other, hand in enumerate(dealt.hands):
        count = own if other == seat else 0
        if hand is not None and other == seat and not is_pending:
            count = len(hand)
        hands.append(None if hand is None else (*hand[:count], *[UNKNOWN] * (len(hand) - count)))
    stock = None if dealt.stock is None else (UNKNOWN,) * len(dealt.stock)
    return CardsDealt(hands=tuple(hands), stock=stock)


def _view(state: CouillonState, legal: Moves) -> DealView:
    play, trumps, raised, recorded = state.play, state.trumps, len(state.raises), state.recorded
    is_fixed = trumps.suit is not None or recorded is not None
    contract = None
    if recorded is not None:
        contract = contract_of(recorded.mit, recorded.kontra, recorded.re)
    elif is_fixed:
        contract = contract_of(raised > 0, raised > 1, raised > 2)
    return DealView(
        phase=phase_shown(state),
        turn=turn_of(state),
        dealer=state.dealer,
        hands=[state.holdings.shown(seat) for seat in range(state.seats)],
        stock=list(state.stock) if state.was_dealt else [],
        auction=[{"seat": seat, "call": call} for seat, call in trumps.calls],
        trump=trumps.suit,
        contract=contract,
        declarer=trumps.maker,
        partner=None,  # the teams are fixed (COU-2.7)
        tricks=[] if play is None else play.views(),
        trick_counts=[0] * state.seats if play is None else list(play.counts),
        card_points=[0] * state.seats if play is None else play.card_points_by_seat(POINTS),
        legal=legal,
    )
