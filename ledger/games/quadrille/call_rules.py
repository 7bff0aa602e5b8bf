"""The called card of one Quadrille deal: what the Ombre may call, and what a call breaks (QUA-5.4 to 5.11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ledger.events import PartnerCalled
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.matadors import PACK_MASK
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.quadrille.callable_cards import callable_sets, possible_calls, rule_against
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.pack import HAND
from ledger.games.quadrille.results import WITH_PARTNER
from ledger.games.quadrille.state import QuadrilleState
from ledger.games.quadrille.trump_rules import miss_trump


def call_card(state: QuadrilleState, event: PartnerCalled, version: int) -> Violations:
    """The Ombre calls a card, or says that he can call none; the play begins."""
    seat, card = event.seat, event.card
    if state.phase == "trump":
        return miss_trump(state, seat, version)
    if seat != state.ombre or state.contract not in WITH_PARTNER:
        rule = "QUA-5.3" if state.contract in ("solo", "vole") else "QUA-5.4"
        return (violation("wrong_caller", rule, version, seat, card=card, due=state.ombre),)
    if state.phase != "call":
        return (violation("card_recalled", "QUA-5.4", version, seat, card=card),)
    found = _call_faults(state, card, version)
    state.begin_play(card)
    return found


def callable_by_ombre(state: QuadrilleState) -> list[str | None]:
    """What the Ombre may call, as far as nothing in the record forbids it."""
    return possible_calls(*_hand_of_ombre(state), cast(str, state.trump), state.options)


def _hand_of_ombre(state: QuadrilleState) -> tuple[int, int, int]:
    """What the Ombre was dealt: cards known, what the others can be, and how many they are."""
    assert state.ombre is not None
    known = state.dealt.masks[state.ombre]
    elsewhere = 0
    for mask in state.dealt.masks:
        elsewhere |= mask
    return known, PACK_MASK & ~elsewhere, HAND - known.bit_count()


def _call_faults(state: QuadrilleState, card: str | None, version: int) -> Violations:
    """QUA-11.23; where hidden cards decide it, later cards may prove it."""
    sets = callable_sets(*_hand_of_ombre(state), cast(str, state.trump), state.options)
    if not any(card in allowed for allowed in sets):
        return (_illegal_call(state, card, sets, version),)
    if not all(card in allowed for allowed in sets):
        state.doubt_call(version)
    return NOTHING


def late_call_violations(state: QuadrilleState) -> Violations:
    """What later cards have proven of a call that was in doubt."""
    if state.doubtful_call is None:
        return NOTHING
    sets = callable_sets(*_hand_of_ombre(state), cast(str, state.trump), state.options)
    if any(state.called in allowed for allowed in sets):
        return NOTHING
    return (_illegal_call(state, state.called, sets, state.doubtful_call),)


def _illegal_call(
    state: QuadrilleState, card: str | None, sets: Sequence[Sequence[str | None]], version: int
) -> Violation:
    is_known = all(allowed == sets[0] for allowed in sets)  # else hidden cards decide what was allowed
    legal = tuple(other or "none" for other in sets[0]) if is_known else None
    rule = rule_against(card, _hand_of_ombre(state)[0], cast(str, state.trump), state.options)
    return violation("illegal_called_card", rule, version, state.ombre, legal, card=card or "none")
