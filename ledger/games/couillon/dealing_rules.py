"""The hands and the stock of one deal by the recorded cards, and violations in dealing (COU-3, 11.11 to 11.15)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from ledger.cards import UNKNOWN, mask_of_known
from ledger.events import CardsDealt
from ledger.games.couillon.irregularities import violation
from ledger.games.couillon.pack import FORMS, SIX32_UPCARD, CouillonForm, cutter
from ledger.games.couillon.state import CouillonState
from ledger.games.couillon.trump_rules import bad_pack, judge_early_events
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.holdings import masks_if_plain, repeated_cards
from ledger.games.kernel.tricks import NOTHING, Violations

Cards: TypeAlias = tuple[str, ...]


class DealtCards(NamedTuple):
    """The hands in the order dealt, and the undealt cards, top first; None if unknown."""

    hands: Sequence[Cards | None]
    stock: Cards | None


def _places_of(form: CouillonForm, dealer: int) -> tuple[int, ...]:
    """Return the places of each seat's cards in the pack after the cut, then those of the rest (COU-3.14 to 3.21)."""
    players, first, second = form.players, form.first, form.second
    start = players * first + form.aside
    hands: list[list[int]] = [[] for _ in range(players)]
    for place in range(players):
        hands[(dealer + 1 + place) % players] = [
            *range(place * first, (place + 1) * first),
            *range(start + place * second, start + (place + 1) * second),
        ]
    dealt = [card for hand in hands for card in hand]
    return *dealt, *(card for card in range(form.pack.bit_count()) if card not in dealt)


_PLACES: Final = {
    form.order_rule: [_places_of(form, dealer) for dealer in range(form.players)]
    for form in (*FORMS.values(), SIX32_UPCARD)
}
"""Places by form and dealer."""


def packets_of(deck: Cards, form: CouillonForm, dealer: int) -> tuple[list[Cards], Cards]:
    """Return the hands that the pack after the cut makes, and the rest of it."""
    cards = tuple([deck[place] for place in _PLACES[form.order_rule][dealer]])
    size = form.hand
    end = size * form.players
    return [cards[start : start + size] for start in range(0, end, size)], cards[end:]


def plainly_dealt(event: CardsDealt, form: CouillonForm, dealer: int) -> list[int] | None:
    """Return the hands as masks if every card is known and nothing is wrong; None if the deal needs a closer look."""
    hands, stock, deck = event.hands, event.stock or (), event.deck
    if event.cut_by != cutter(dealer, form.players):
        return None
    masks = masks_if_plain(hands, form.hand, stock, form.pack)
    if masks is None:
        return None
    for mask in masks:
        if not mask:
            return None  # an empty hand, and too many cards in the stock
    if deck is not None and not _is_order_of(deck, hands, stock, _PLACES[form.order_rule][dealer]):
        return None
    return masks


def _is_order_of(deck: Cards, hands: Sequence[Cards | None], stock: Cards, places: tuple[int, ...]) -> bool:
    """Return whether this pack makes these hands and leaves this stock, each in its order."""
    if len(deck) != len(places):
        return False
    seen = 0
    for cards in (*hands, stock):
        for card in cards or ():
            if deck[places[seen]] != card:
                return False
            seen += 1
    return True


def read_deal(event: CardsDealt, form: CouillonForm, dealer: int) -> DealtCards:
    """Return the deal as recorded, with unknown cards by the order of the pack (COU-10.8)."""
    deck = event.deck
    if deck is None or len(deck) != form.pack.bit_count():
        return DealtCards(event.hands, event.stock)
    packets, left = packets_of(deck, form, dealer)
    hands = [_filled(hand or None, of_deck) for hand, of_deck in zip(event.hands, packets, strict=True)]
    return DealtCards(hands, _filled(event.stock, left))


def _filled(cards: Cards | None, of_deck: Cards | None) -> Cards | None:
    """Return the recorded cards, with unknown ones by the order of the pack if the two can be the same."""
    if cards is None or of_deck is None:
        return of_deck
    if not _agree(cards, of_deck):
        return cards
    return tuple(other if card == UNKNOWN else card for card, other in zip(cards, of_deck, strict=True))


def deal_faults(event: CardsDealt, dealt: DealtCards, form: CouillonForm, dealer: int, version: int) -> list[Violation]:
    """Return the violations in the cut, the pack, the numbers of cards and the packets."""
    violations = []
    if event.cut_by != cutter(dealer, form.players):
        how = "missing" if event.cut_by is None else None
        violations.append(violation("wrong_cut", "COU-3.12", version, event.cut_by, found=how))
    violations.extend(bad_pack := _pack_faults(event, dealt, form, version))
    wrong_numbers = [
        violation("wrong_number", form.order_rule, version, seat, count=len(hand), due_count=form.hand)
        for seat, hand in enumerate(dealt.hands)
        if hand is not None and len(hand) != form.hand
    ]
    return [*violations, *(wrong_numbers or ([] if bad_pack else _packet_faults(event, dealt, form, dealer, version)))]


def _pack_faults(event: CardsDealt, dealt: DealtCards, form: CouillonForm, version: int) -> list[Violation]:
    """Return COU-11.11, at most once: a repeated or foreign card, or a fully recorded pack that lacks one."""
    groups = [*dealt.hands, dealt.stock]
    wrong = repeated_cards(groups) or repeated_cards([event.deck])
    if not wrong:
        seen = mask_of_known(card for group in [*groups, event.deck] for card in group or ())
        size = sum(len(group or ()) for group in groups)
        has_all = None not in dealt.hands and (dealt.stock is not None or not form.stock)
        is_short = has_all and size < form.pack.bit_count()
        has_wrong_deck = event.deck is not None and len(event.deck) != form.pack.bit_count()
        if not (is_short or has_wrong_deck or seen & ~form.pack):
            return []
    how, size = None if wrong else "short", form.pack.bit_count()
    return [violation("bad_pack", form.pack_rule, version, found=how, cards=wrong, count=size)]


def _packet_faults(
    event: CardsDealt, dealt: DealtCards, form: CouillonForm, dealer: int, version: int
) -> list[Violation]:
    """Return COU-11.14: hands of the right size that the order of the pack does not make, or a wrong stock."""
    rule = form.order_rule
    violations = []
    left: Cards | None = None
    is_deck_complete = event.deck is not None and len(event.deck) == form.pack.bit_count()
    if event.deck is not None and is_deck_complete:
        packets, left = packets_of(event.deck, form, dealer)
        for seat, hand in enumerate(event.hands):
            if hand and not _agree(hand, packets[seat]):
                violations.append(violation("wrong_packets", rule, version, seat))
    if event.stock is not None:
        is_wrong_size = len(event.stock) != form.stock
        if is_wrong_size or (is_deck_complete and not _agree(event.stock, left)):
            violations.append(violation("wrong_packets", rule, version, found="stock", count=len(event.stock)))
    return violations


def _agree(cards: Cards, others: Cards | None) -> bool:
    """Return whether these can be the same cards in the same order, as far as they are known."""
    if others is None or len(cards) != len(others):
        return False
    return all(UNKNOWN in (card, other) or card == other for card, other in zip(cards, others, strict=True))


def deal_cards(state: CouillonState, event: CardsDealt, version: int) -> Violations:
    """Deal the recorded cards, perhaps after calls that implied a deal; return the violations."""
    form = state.form
    if state.has_cards:
        return bad_pack(state, version, "again")  # every card occurs twice
    if state.play is not None and state.play.cards:  # the cards come after the first lead
        return (violation("wrong_number", form.order_rule, version, found="late", count=0, due_count=form.hand),)
    if state.was_dealt:
        state.forget_hands()
    plain = plainly_dealt(event, form, state.dealer)
    if plain is not None:
        state.holdings.deal_out(plain)
        state.deal_out(event.hands, event.stock or ())
        judge_early_events(state)
        return NOTHING
    dealt = read_deal(event, form, state.dealer)
    violations = deal_faults(event, dealt, form, state.dealer, version)
    state.judge_pack(any(one.code == "COU-11.11" for one in violations))
    stock = state.stock
    if dealt.stock is not None and len(dealt.stock) == form.stock:
        stock = dealt.stock
        state.holdings.place(mask_of_known(stock))
    for seat, hand in enumerate(dealt.hands):
        state.holdings.give(seat, (UNKNOWN,) * form.hand if hand is None else hand)
    state.holdings.give_rest()
    state.deal_out(dealt.hands, stock)
    judge_early_events(state)
    return violations
