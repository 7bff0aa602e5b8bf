"""What an Ombre deal that was played came to, from the state of its machine (OMB-7.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ledger.events import Suit
from ledger.games.ombre.outcome import OmbreOutcome
from ledger.games.ombre.results import Contract, Ending, result_of

if TYPE_CHECKING:
    from ledger.games.ombre.deal import OmbreDeal


def facts_of(deal: OmbreDeal) -> OmbreOutcome | None:
    """The outcome of a complete deal; null where the record does not tell it."""
    if deal.ombre is None:
        return OmbreOutcome(result="ALL_PASS", tricks=(0,) * deal.seats)
    play = deal.play
    assert play is not None
    ending = cast(Ending, play.ending)
    estuches = play.estuches()
    if estuches is None or None in play.winners:
        return None
    tricks = tuple(play.counts)
    primeras = play.defender is None and play.has_primeras()  # OMB-6.31
    return OmbreOutcome(
        result=result_of(deal.active, deal.ombre, tricks, ending, primeras, play.defender),
        ombre=deal.ombre,
        contract=cast(Contract, deal.contract),
        trump=cast(Suit, deal.trump),
        tricks=tricks,
        estuches=estuches,
        primeras=primeras,
        ending=ending,
        defender=play.defender,
    )
