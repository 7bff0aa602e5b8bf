"""The rules of a Quadrille deal from the called card to the end (QUA-5.4 to 6.29).

`play` judges the cards of the play.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import cast

import msgspec

from ledger.cards import INDEX, SUITS, cards_in, mask_of
from ledger.events import Announced, CardPlayed, PartnerCalled, ResultRecorded, ScoreClaimed, TrickGathered
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.matadors import PACK_MASK
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.quadrille import declarations
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.opening_rules import miss_trump, show_spadille
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.outcome import QuadrilleOutcome, checked_outcome
from ledger.games.quadrille.pack import HAND, HONOURS, PREMIERS, TRICKS, WITH_PARTNER
from ledger.games.quadrille.state import QuadrilleState


@cache
def _callable_cards(hand: int, trump: str, own_call: str, queen_call: str) -> Sequence[str | None]:
    """Return the cards that this hand may call, sorted; [None] if the holder must announce that none can be called."""
    plain = [suit for suit in SUITS if suit != trump]  # QUA-5.5

    def held(rank: str, suit: str) -> bool:
        return bool(hand >> INDEX[suit + rank] & 1)

    kings = [suit + "K" for suit in plain if not held("K", suit)]  # L1, QUA-5.6
    own = [suit + "K" for suit in plain if held("K", suit)]  # L3, QUA-5.9
    if kings:
        return sorted(kings + own) if own_call == "always" else sorted(kings)
    if queen_call == "all_four_kings" and not held("K", trump):
        return sorted(own)  # QUA-5.10
    queens = [suit + "Q" for suit in plain if not held("Q", suit)]  # L2, QUA-5.7
    cards = queens if own_call == "never" else queens + own
    return sorted(cards) or [None]  # QUA-5.8, 5.11


def rule_against(card: str | None, held: int, trump: str, options: QuadrilleOptions) -> str:
    """Return the rule of QUA-5.5 to 5.11 that a forbidden call breaks. `held`: the known cards of the hand (mask)."""
    if card is None:
        return "QUA-5.11"
    if card in (trump + "K", trump + "Q"):
        return "QUA-5.5"
    if card[1] == "K" and held >> INDEX[card] & 1:
        return "QUA-5.9"
    kings, queens = (mask_of(INDEX[suit + rank] for suit in SUITS if suit != trump) for rank in "KQ")
    if kings & ~held:
        return "QUA-5.6"
    if options.queen_call == "all_four_kings" and not held >> INDEX[trump + "K"] & 1:
        return "QUA-5.10"
    return "QUA-5.7" if queens & ~held else "QUA-5.8"


def callable_sets(
    known: int, candidates: int, hidden: int, trump: str, options: QuadrilleOptions
) -> Sequence[Sequence[str | None]]:
    """Return the callable cards for each possible hand: `known` cards plus `hidden` ones out of `candidates`."""
    others = (candidates & ~HONOURS).bit_count()
    variants = (options.own_call, options.queen_call)
    return _callable_sets(known & HONOURS, candidates & HONOURS, others, hidden, trump, *variants)


@lru_cache(maxsize=10_000)  # each view of a deal with unrecorded hands repeats the same queries
def _callable_sets(
    known: int, unsure: int, others: int, hidden: int, trump: str, own_call: str, queen_call: str
) -> Sequence[Sequence[str | None]]:
    """Return each different set of callable cards once, from honours alone. `others`: the number of candidates that are
    no honours.
    """
    places = list(cards_in(unsure))
    ways: dict[tuple[str | None, ...], None] = {}
    for choice in range(1 << len(places)):
        added = sum(1 << card for place, card in enumerate(places) if choice >> place & 1)
        count = added.bit_count()
        if count <= hidden <= count + others:
            ways[tuple(_callable_cards(known | added, trump, own_call, queen_call))] = None
    return tuple(ways)


def possible_calls(known: int, candidates: int, hidden: int, trump: str, options: QuadrilleOptions) -> list[str | None]:
    """Return every call that the record does not exclude, sorted, None last."""
    calls = {card for cards in callable_sets(known, candidates, hidden, trump, options) for card in cards}
    return [*sorted(card for card in calls if card is not None), *([None] if None in calls else [])]


def call_card(state: QuadrilleState, event: PartnerCalled, version: int) -> Violations:
    """Call a card, or none if none can be called; the play begins."""
    seat, card = event.seat, event.card
    if state.phase == "trump":
        return miss_trump(state, seat, version)
    if seat != state.ombre or state.contract not in WITH_PARTNER:
        rule = "QUA-5.3" if state.contract in ("solo", "vole") else "QUA-5.4"
        return (violation("wrong_caller", rule, version, seat, card=card, due=state.ombre),)
    if state.phase != "call":
        return (violation("card_recalled", "QUA-5.4", version, seat, card=card),)
    violations = _call_faults(state, card, version)
    state.begin_play(card)
    return violations


def callable_by_ombre(state: QuadrilleState) -> list[str | None]:
    """Return the cards that the Ombre may call, as far as the record shows."""
    return possible_calls(*_hand_of_ombre(state), cast(str, state.trump), state.options)


def _hand_of_ombre(state: QuadrilleState) -> tuple[int, int, int]:
    """Return the Ombre's hand as dealt: its known cards, the candidates for the rest, and their number."""
    assert state.ombre is not None
    known = state.dealt.masks[state.ombre]
    elsewhere = 0
    for mask in state.dealt.masks:
        elsewhere |= mask
    return known, PACK_MASK & ~elsewhere, HAND - known.bit_count()


def _call_faults(state: QuadrilleState, card: str | None, version: int) -> Violations:
    """Return the fault of a call (QUA-11.23), or note the call as doubtful if hidden cards decide."""
    sets = callable_sets(*_hand_of_ombre(state), cast(str, state.trump), state.options)
    if not any(card in allowed for allowed in sets):
        return (_illegal_call(state, card, sets, version),)
    if not all(card in allowed for allowed in sets):
        state.doubt_call(version)
    return NOTHING


def late_call_violations(state: QuadrilleState) -> Violations:
    """Return the fault of a doubtful call that later cards have proven wrong."""
    if state.doubtful_call is None:
        return NOTHING
    sets = callable_sets(*_hand_of_ombre(state), cast(str, state.trump), state.options)
    if any(state.called in allowed for allowed in sets):
        return NOTHING
    return (_illegal_call(state, state.called, sets, state.doubtful_call),)


def _illegal_call(
    state: QuadrilleState, card: str | None, sets: Sequence[Sequence[str | None]], version: int
) -> Violation:
    is_known = all(allowed == sets[0] for allowed in sets)  # otherwise hidden cards decide
    legal = tuple(other or "none" for other in sets[0]) if is_known else None
    rule = rule_against(card, _hand_of_ombre(state)[0], cast(str, state.trump), state.options)
    return violation("illegal_called_card", rule, version, state.ombre, legal, card=card or "none")


def play_card(state: QuadrilleState, event: CardPlayed, version: int) -> Violations:
    """Play a card. It halts the deal if play cannot begin yet, and is void after the end."""
    if state.phase == "play" and state.play is not None:
        return state.play.take_card(event, version)
    if state.phase == "trump":
        return miss_trump(state, event.seat, version)
    if state.phase == "call":
        state.halt()
        return (violation("call_missing", "QUA-5.4", version, event.seat),)
    rule = "QUA-6.13" if state.play is None else state.play.rule_of_end()
    return (violation("play_after_end", rule, version, event.seat, card=event.card),)


def gather(state: QuadrilleState, event: TrickGathered, version: int) -> Violations:
    """Record who gathered the trick."""
    if state.play is None:
        return (violation("wrong_gather", "QUA-6.10", version, event.seat, winner=None),)
    return state.play.gather(event, version)


def announce(state: QuadrilleState, event: Announced, version: int) -> Violations:
    """Apply an announcement: `show_spadille` before the play, all others during it."""
    seat, what = cast(int, event.seat), event.what
    play = state.play
    if what == "show_spadille":
        return show_spadille(state, event, version)
    if play is None or state.phase == "voided":
        return (_outside_play(what, seat, state.options, version),)
    if what == "reveal_partner":
        return play.reveal(seat, version)
    if what in declarations.SIDES:
        return play.make_claim(what, seat, version)
    if what in ("claim_accept", "claim_refuse"):
        return play.answer_claim(what, seat, version)
    kind, _, word = what.partition("_")
    return play.choose(word, seat, version) if kind == "premiers" else play.reply(word, seat, version)


def _outside_play(what: str, seat: int, options: QuadrilleOptions, version: int) -> Violation:
    """Return the finding for an announcement made outside the play."""
    kind, _, word = what.partition("_")
    if kind == "reveal":
        return violation("false_reveal", "QUA-5.12", version, seat)
    if kind == "premiers":
        return violation("bad_premiers", "QUA-6.18", version, seat, choice=word)
    if kind == "reply":
        return violation("bad_premiers_reply", "QUA-6.22", version, seat)
    variant = "claim" if what in declarations.SIDES else "reply"
    return violation("claim_not_allowed", "QUA-6.27" if options.claims else "QUA-6.29", version, seat, found=variant)


def record_result(state: QuadrilleState, event: ResultRecorded, version: int) -> Violations:
    """Record a result written down in place of cards and calls."""
    if state.phase != "voided":
        state.record(checked_outcome(msgspec.convert(event.outcome, QuadrilleOutcome), state.options))
    return NOTHING


def claim_score(state: QuadrilleState, event: ScoreClaimed, version: int) -> Violations:
    """Check that the partner of a forced contract was revealed before the sheet. The match compares the amounts."""
    return NOTHING if state.play is None else state.play.miss_reveal_at_end(None, version)


def leave_deal(state: QuadrilleState, last_version: int, last_seat: int | None) -> Violations:
    """End the deal because the next one starts or the table closes; unfinished play makes it unscorable (QUA-11.36)."""
    if state.play is not None and state.phase == "settled":
        return state.play.miss_reveal_at_end(last_seat, last_version)
    if state.status != "open":
        return NOTHING
    has_ended = _may_have_ended(state)
    state.halt()  # the record cannot show the result, with or without a fault
    return NOTHING if has_ended else (violation("play_incomplete", "QUA-6.13", last_version, last_seat),)


def _may_have_ended(state: QuadrilleState) -> bool:
    """Return whether play may have ended, depending on unrecorded cards."""
    play = state.play
    if play is None or play.on_table:
        return False
    is_forced_six = len(play.winners) == PREMIERS and play.contract == "forced" and play.stage == "doubtful"
    return len(play.winners) == TRICKS or is_forced_six
