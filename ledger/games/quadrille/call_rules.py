"""The called card of one Quadrille deal: what the Ombre may call, and what a call breaks (QUA-5.4 to 5.11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from ledger.cards import BIT
from ledger.events import PartnerCalled
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.matadors import PACK_MASK
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.quadrille.callable_cards import callable_sets, possible_calls, rule_against
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.pack import HAND
from ledger.games.quadrille.results import WITH_PARTNER

if TYPE_CHECKING:
    from ledger.games.quadrille.deal import QuadrilleDeal


def call_card(deal: QuadrilleDeal, event: PartnerCalled, version: int) -> Violations:
    """The Ombre calls a card, or says that he can call none; the play begins."""
    seat, card = event.seat, event.card
    if deal.phase == "trump":
        return deal.halt("trump_missing", "QUA-5.1", version, seat)
    if seat != deal.ombre or deal.contract not in WITH_PARTNER:
        rule = "QUA-5.3" if deal.contract in ("solo", "vole") else "QUA-5.4"
        return (violation("wrong_caller", rule, version, seat, card=card, due=deal.ombre),)
    if deal.phase != "call":
        return (violation("card_recalled", "QUA-5.4", version, seat, card=card),)
    found = _call_faults(deal, card, version)
    deal.called = card
    deal.begin_play(0 if card is None else BIT[card])
    return found


def callable_cards(deal: QuadrilleDeal) -> list[str | None]:
    """What the Ombre may call, as far as nothing in the record forbids it."""
    return possible_calls(*_hand_of_ombre(deal), cast(str, deal.trump), deal.options)


def _hand_of_ombre(deal: QuadrilleDeal) -> tuple[int, int, int]:
    """What the Ombre was dealt: cards known, what the others can be, and how many they are."""
    assert deal.ombre is not None
    known = deal.dealt.masks[deal.ombre]
    elsewhere = 0
    for mask in deal.dealt.masks:
        elsewhere |= mask
    return known, PACK_MASK & ~elsewhere, HAND - known.bit_count()


def _call_faults(deal: QuadrilleDeal, card: str | None, version: int) -> Violations:
    """QUA-11.23; where hidden cards decide it, later cards may prove it."""
    sets = list(callable_sets(*_hand_of_ombre(deal), cast(str, deal.trump), deal.options))
    if not any(card in allowed for allowed in sets):
        return (_illegal_call(deal, card, sets, version),)
    if not all(card in allowed for allowed in sets):
        deal.doubtful_call = version
    return NOTHING


def late_call_violations(deal: QuadrilleDeal) -> Violations:
    """What later cards have proven of a call that was in doubt."""
    if deal.doubtful_call is None:
        return NOTHING
    sets = list(callable_sets(*_hand_of_ombre(deal), cast(str, deal.trump), deal.options))
    if any(deal.called in allowed for allowed in sets):
        return NOTHING
    return (_illegal_call(deal, deal.called, sets, deal.doubtful_call),)


def _illegal_call(
    deal: QuadrilleDeal, card: str | None, sets: Sequence[Sequence[str | None]], version: int
) -> Violation:
    is_known = all(allowed == sets[0] for allowed in sets)  # else hidden cards decide what was allowed
    legal = tuple(other or "none" for other in sets[0]) if is_known else None
    rule = rule_against(card, _hand_of_ombre(deal)[0], cast(str, deal.trump), deal.options)
    return violation("illegal_called_card", rule, version, deal.ombre, legal, card=card or "none")
