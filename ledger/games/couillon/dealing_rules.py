"""What recorded cards do to one Couillon deal, and what breaks a rule there (COU-3.14 to 3.26, 11.11, 11.15)."""

from __future__ import annotations

from ledger.cards import UNKNOWN, mask_of_known
from ledger.events import CardsDealt
from ledger.games.couillon.dealing import deal_faults, plainly_dealt, read_deal
from ledger.games.couillon.early import judge_early
from ledger.games.couillon.irregularities import violation
from ledger.games.couillon.state import CouillonState
from ledger.games.couillon.turned_cards import bad_pack
from ledger.games.kernel.tricks import NOTHING, Violations


def deal_cards(state: CouillonState, event: CardsDealt, version: int) -> Violations:
    """The cards are dealt, perhaps after calls from which it seemed that they had been."""
    form = state.form
    if state.has_cards:
        return bad_pack(state, version, "again")  # every card is there twice
    if state.play is not None and state.play.cards:  # nobody had been dealt a card at the first lead
        return (violation("wrong_number", form.order_rule, version, found="late", count=0, due_count=form.hand),)
    if state.was_dealt:
        state.forget_hands()
    plain = plainly_dealt(event, form, state.dealer)
    if plain is not None:
        state.holdings.deal_out(plain)
        state.deal_out(event.hands, event.stock or ())
        judge_early(state)
        return NOTHING
    dealt = read_deal(event, form, state.dealer)
    found = deal_faults(event, dealt, form, state.dealer, version)
    state.judge_pack(any(one.code == "COU-11.11" for one in found))
    stock = state.stock
    if dealt.stock is not None and len(dealt.stock) == form.stock:
        stock = dealt.stock
        state.holdings.place(mask_of_known(stock))
    for seat, hand in enumerate(dealt.hands):
        state.holdings.give(seat, (UNKNOWN,) * form.hand if hand is None else hand)
    state.holdings.give_rest()
    state.deal_out(dealt.hands, stock)
    judge_early(state)
    return found
