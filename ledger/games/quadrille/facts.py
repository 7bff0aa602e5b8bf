"""What a Quadrille deal that has ended came to, from the state of its machine (QUA section 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec

from ledger.events import Suit
from ledger.games.quadrille import premiers
from ledger.games.quadrille.auction import SEATS
from ledger.games.quadrille.outcome import (
    PREMIERS,
    Contract,
    Ending,
    QuadrilleOutcome,
    result_of,
    side_tricks,
    vole_result,
)

if TYPE_CHECKING:
    from ledger.games.quadrille.deal import QuadrilleDeal


def facts_of(deal: QuadrilleDeal) -> QuadrilleOutcome | None:
    """The outcome of a complete deal; null where the record does not tell it."""
    play = deal.play
    if play is None:
        return QuadrilleOutcome(result="thrown_in", tricks=(0,) * SEATS)  # QUA-4.17
    winners = play.winners[:PREMIERS] if play.ending == "premiers" else play.winners
    matadors = play.side.matadors(play.ranking)
    has_premiers, is_at_stake = premiers.are_made(play), premiers.is_vole_at_stake(play)
    is_known = None not in winners and play.side.is_settled
    if not is_known or matadors is None or has_premiers is None or is_at_stake is None:
        return None
    facts = QuadrilleOutcome(
        ombre=deal.ombre,
        partner=play.side.partner,
        contract=cast(Contract, deal.contract),
        trump=cast(Suit, deal.trump),
        tricks=tuple(winners.count(seat) for seat in range(SEATS)),
        ending=cast(Ending, play.ending),
        claimed_for=play.claimed_for,
        premiers=has_premiers,
        matadors=matadors,
    )
    tricks = side_tricks(facts)
    vole = vole_result(tricks) if is_at_stake else None
    return msgspec.structs.replace(facts, result=result_of(tricks), vole=vole)
