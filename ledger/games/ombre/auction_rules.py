"""The auction of one Ombre deal, what follows when all have passed, and how trumps are fixed (OMB-4, 5.1 to 5.7)."""

from __future__ import annotations

from ledger.cards import BIT, UNKNOWN
from ledger.events import BidMade, CardTurned, TrumpNamed
from ledger.games.kernel.matadors import PASS
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.pack import SPADILLE
from ledger.games.ombre.state import CONTRACTS, OmbreState


def bid(state: OmbreState, event: BidMade, version: int) -> Violations:
    """A call (OMB-4.1 to 4.16); a void one changes nothing."""
    auction, seat, call = state.auction, event.seat, event.call
    if auction.owed_pass is not None and seat != auction.owed_pass:
        settle_owed_pass(state)  # OMB-11.16
    if auction.turn is None or state.phase != "auction":
        return (violation("call_after_end", "OMB-4.16", version, seat, call=call),)
    if seat in auction.passed:
        return (violation("call_after_pass", "OMB-4.9", version, seat, call=call),)
    if seat != auction.turn:
        rule = "OMB-4.8" if seat in state.active else "OMB-2.7"
        return (violation("call_out_of_turn", rule, version, seat, call=call, due=auction.turn),)
    if not auction.is_allowed(seat, call):
        auction.owed_pass = seat
        rule = "OMB-4.15" if call in auction.ranks else "OMB-4.2"
        legal = tuple(auction.legal())
        return (violation("illegal_call", rule, version, seat, legal, call=call, standing=auction.standing),)
    if auction.take(seat, call):
        _end_auction(state)
    return NOTHING


def halt_auction(state: OmbreState, version: int, seat: int | None) -> Violations:
    """Something else comes before the auction is over (OMB-11.17)."""
    state.halt()
    return (violation("auction_unfinished", "OMB-4.16", version, seat),)


def settle_owed_pass(state: OmbreState) -> None:
    """Who made an illegal call and nothing else afterwards has passed (OMB-11.16)."""
    owed_pass = state.auction.owed_pass
    if owed_pass is not None and state.auction.take(owed_pass, PASS):
        _end_auction(state)


def _end_auction(state: OmbreState) -> None:
    auction = state.auction
    if not auction.all_passed:
        assert auction.standing is not None
        state.begin_trump(auction.bidder, CONTRACTS[auction.standing])
    elif state.options.all_pass == "redeal":
        state.pass_out()  # OMB-4.20
    else:
        _force_spadille(state)


def _force_spadille(state: OmbreState) -> None:
    """The seat that was dealt SA becomes Ombre (OMB-4.21); if SA is in the stock the deal is passed out (4.22)."""
    able = seats_with_spadille(state)
    if not able:
        state.pass_out()
        return
    state.begin_trump(None, "entrada")
    is_dealt = state.holdings.known[able[0]] & SPADILLE or UNKNOWN not in state.stock
    if len(able) == 1 and is_dealt:
        state.force(able[0])


def seats_with_spadille(state: OmbreState) -> list[int]:
    """The active seats that can have been dealt SA."""
    return [seat for seat in state.active if state.holdings.may_hold(seat, SPADILLE)]


def settle_forced(state: OmbreState) -> None:
    """Left before trumps were named: nobody held SA, it lay in the stock (OMB-4.22), if it can have."""
    if state.forced_by_record and UNKNOWN in state.stock:
        state.pass_out()


def name_trump(state: OmbreState, event: TrumpNamed, version: int) -> Violations:
    """The Ombre names trumps (OMB-5.1, 5.2)."""
    seat, suit = event.seat, event.suit
    if state.phase != "trump" or state.contract == "vuelta":
        rule = "OMB-5.4" if state.contract == "vuelta" else "OMB-5.7" if state.trump else "OMB-5.1"
        return (violation("trump_not_allowed", rule, version, seat, suit=suit),)
    standing = state.auction.standing or ""
    if standing.endswith("_favour") and suit != state.options.favourite_suit:
        return (violation("trump_not_allowed", "OMB-5.2", version, seat, suit=suit),)
    found: Violations = NOTHING
    if state.forced_by_record:
        state.force(_forced_seat(state, seat))
    if seat != state.ombre:
        found = (violation("trump_by_wrong_seat", "OMB-5.1", version, seat, suit=suit, due=state.ombre),)
    if state.ombre is None:
        state.halt()  # who was forced cannot be known
    else:
        state.begin_exchange(suit)
    return found


def _forced_seat(state: OmbreState, seat: int) -> int | None:
    """That trumps are named shows that somebody held SA (OMB-4.21): this seat, if it can have been this one."""
    able = seats_with_spadille(state)
    if seat in able:
        return seat
    return able[0] if len(able) == 1 else None


def turn_card(state: OmbreState, event: CardTurned, version: int) -> Violations:
    """The top card of the stock is turned up in a vuelta (OMB-5.4)."""
    if state.phase != "trump" or state.contract != "vuelta":
        rule = "OMB-5.7" if state.trump else "OMB-5.1"
        return (violation("trump_not_allowed", rule, version, suit=event.card[0]),)
    card, top = event.card, state.stock[0]
    found: Violations = NOTHING
    if top not in (card, UNKNOWN) or (top == UNKNOWN and state.holdings.placed & BIT[card]):
        legal = None if top == UNKNOWN else (top,)
        found = (violation("wrong_upcard", "OMB-5.4", version, None, legal, card=card),)
    if top == UNKNOWN:
        top = card
    state.turn_up(top)
    state.begin_exchange(top[0])  # OMB-5.4, 5.5: the printed suit, also of a black ace
    return found


def miss_trump(state: OmbreState, version: int, seat: int | None) -> Violations:
    """An exchange, a yield or a play comes before trumps (OMB-11.19)."""
    state.halt()
    return (violation("trump_missing", "OMB-5.4" if state.contract == "vuelta" else "OMB-5.1", version, seat),)
